# A workflow without engines: order, counts, the record's files, report from the record alone.
. "$(dirname "$0")/../lib.sh"
cat >flow.yaml <<'Y'
consumerbench: 1
name: flow
repeat: 2
apps:
  nothing: {type: "null", requests: 3}
  pause:   {type: sleep, duration: 20ms}
  ok:      {type: exec, command: ["true"]}
  bad:     {type: exec, command: ["false"]}
workflow:
  last:   {app: nothing, after: [middle, side]}
  middle: {app: pause, after: [first]}
  side:   {app: ok}
  first:  {app: nothing, requests: 5}
Y
expect_exit 0 "$CBENCH" run flow.yaml --json --out record
expect_json stdout '.schema == "cbench.summary/1" and .verdict.status == "VALID"'
expect_json stdout '.runs | length == 2 and all(.[]; .tasks.first.completed == 5 and .tasks.last.completed == 3)'
expect_json stdout 'all(.runs[]; .tasks.first.end_s <= .tasks.middle.start_s)'
expect_json stdout 'all(.runs[]; .tasks.last.start_s >= .tasks.middle.end_s and .tasks.last.start_s >= .tasks.side.end_s)'
expect_text stderr 'first started'
for file in run.json events.jsonl samples.jsonl summary.json report.md report.html trace.json.gz; do
  [ -s record/$file ] || fail "no $file in the record"
done
expect_exit 0 "$CBENCH" report record
expect_text stdout 'VALID'

# The folder holds a record now: refused, and nothing of it is touched.
expect_exit 2 "$CBENCH" run flow.yaml --out record
expect_text stderr 'record'

# A failing command is a failed request, and the run INVALID.
sed -i 's/side:   {app: ok}/side:   {app: bad}/' flow.yaml
expect_exit 1 "$CBENCH" run flow.yaml --json --out failed
expect_json stdout '.verdict.status == "INVALID" and (.verdict.reasons | length > 0)'
expect_json stdout '.runs[0].tasks.side.failed == 1'

# The monitor watched, and says what it could not.
expect_json record/summary.json '.probes | (length > 10) and all(.state == "present" or (.reason | length > 0))'
