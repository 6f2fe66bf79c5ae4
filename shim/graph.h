// What can be seen of a graph that somebody is about to compute.
#pragma once

namespace cbench::shim {

struct GraphShape {
  int nodes = 0;
  int size = 0;  // thousands of numbers that its nodes hold, about; 0: unknown
};

// Reads it by ggml's own functions only, whose names have lasted where the layout of its structs
// has not. Some 0.3 us.
GraphShape ShapeOf(void* graph, void* caller);

}  // namespace cbench::shim
