# A harness and an engine were killed: the record reads, failures are counted, nothing passes.
. "$(dirname "$0")/../lib.sh"
cp -r "$CASE/record" record
expect_exit 1 "$CBENCH" report record
expect_text stdout '^killed .* INVALID$'
expect_text stdout 'INVALID: interrupted: the record ends before the run does'
expect_text stdout 'INVALID: engine crashed: text: signal 9'
expect_text stdout 'INVALID: task brainstorm did not finish'
expect_text stdout 'INVALID: task later did not start'
expect_text stdout 'the last line of events.jsonl was cut off'
expect_json record/summary.json '.verdict.status == "INVALID"'
expect_json record/summary.json '.runs[0] | .status == "interrupted" and .makespan_s == null'
expect_json record/summary.json '.runs[0].tasks.brainstorm |
  .issued == 3 and .completed == 2 and .failures == {"interrupted": 1} and
  (.attainment - 2 / 3 | fabs) < 1e-9 and .end_s == null'
expect_json record/summary.json '.runs[0].tasks.later | .issued == 0 and .attainment == null'

# However short what is left, it reads and is not valid; an empty file is a run that never began.
size=$(wc -c <record/events.jsonl)
for cut in 0 1 50 $((size / 2)); do
  head -c "$cut" "$CASE/record/events.jsonl" >record/events.jsonl
  expect_exit 1 "$CBENCH" report record
done
: >record/events.jsonl
expect_exit 1 "$CBENCH" report record
expect_text stdout 'INVALID: the record holds no run'
