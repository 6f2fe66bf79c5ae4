// A graph's number of nodes says which network it is, not how much it is asked to do: a prompt of
// 512 tokens and a single token have the same nodes, 512 times as large. So the size is what the
// nodes hold, which grows in proportion to tokens, pixels or frames, as the cost mostly does.
// A few nodes, evenly spread, are looked at; the same shape always gives the same size.
#include "shim/graph.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "shim/symbol.h"

namespace cbench::shim {
namespace {

constexpr int kLookedAt = 64;

constinit Symbol graph_n_nodes("ggml_graph_n_nodes"), graph_node("ggml_graph_node"),
    nelements("ggml_nelements");

using NodesFunction = int(void* graph);
using NodeFunction = void*(void* graph, int index);
using ElementsFunction = std::int64_t(const void* tensor);

}  // namespace

GraphShape ShapeOf(void* graph, void* caller) {
  auto* const nodes_of = graph_n_nodes.For<NodesFunction>(caller);
  auto* const node_of = graph_node.For<NodeFunction>(caller);
  auto* const elements_of = nelements.For<ElementsFunction>(caller);
  if (!nodes_of || !node_of || !elements_of) return {};
  const int nodes = nodes_of(graph);
  const int looked_at = std::min(nodes, kLookedAt);
  double sum = 0;
  for (std::int64_t i = 0; i < looked_at; ++i)
    sum +=
        static_cast<double>(elements_of(node_of(graph, static_cast<int>(i * nodes / looked_at))));
  const double thousands = looked_at > 0 ? sum / looked_at * nodes / 1000 : 0;
  return {nodes, static_cast<int>(std::clamp(thousands, 1.0, 2e9))};
}

}  // namespace cbench::shim
