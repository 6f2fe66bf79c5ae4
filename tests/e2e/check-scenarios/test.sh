# Every scenario that we ship is right and, on synthetic models, complete.
. "$(dirname "$0")/../lib.sh"
for file in "$CBENCH_SOURCE"/scenarios/*.yaml; do
  expect_exit 0 "$CBENCH" check --synthetic "$file" --json
  expect_json stdout '.missing == [] and (.tasks | length > 0) and .path == "'"$file"'"'
  expect_json stdout '[.engines[].model] | all(startswith("synth:") and endswith("-demo"))'
done

# The one of the demo needs no option, and names its five tasks in an order that obeys them.
demo="$CBENCH_SOURCE/scenarios/content_creation.yaml"
expect_exit 0 "$CBENCH" check "$demo"
[ "$(grep -oE '^  (analysis|brainstorm|outline|cover_art|subtitles) ' stdout | xargs)" = \
  "analysis brainstorm outline cover_art subtitles" ] || fail "order of tasks"
expect_text stdout 'ttft <= 1 s, tpot <= 250 ms'
expect_exit 0 "$CBENCH" check "$demo" --json
expect_json stdout '[.tasks[].name] == ["analysis","brainstorm","outline","cover_art","subtitles"]'
expect_json stdout '[.tasks[].requests] == [1, 10, 20, 8, 1]'
expect_json stdout '.tasks[2].after == ["brainstorm", "analysis"]'
expect_json stdout '[.apps[] | .class] == ["latency", "background", "throughput", "latency"]'

# Several files, several plans.
expect_exit 0 "$CBENCH" check --synthetic=full --strategy credit,nice --json \
  "$CBENCH_SOURCE"/scenarios/{chatbot,original_dialect}.yaml
expect_json stdout 'length == 2 and all(.[]; .strategies == ["credit", "nice"])'
expect_json stdout '.[1].engines[0].model == "synth:llama-3.2-3b" and .[1].engines[0].device == "auto"'
expect_json stdout '.[1].apps[1].class == "background"'
