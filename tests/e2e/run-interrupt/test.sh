# Ctrl-C in the middle keeps the record, says so, and leaves nothing running; so do TERM and HUP.
. "$(dirname "$0")/../lib.sh"
cat >long.yaml <<'Y'
consumerbench: 1
name: long
apps:
  quick: {type: "null", requests: 2}
  slow:  {type: exec, command: [sleep, "347"]}
workflow:
  before: {app: quick}
  during: {app: slow, after: [before]}
  later:  {app: quick, after: [during]}
Y
for signal in INT TERM HUP; do
  # A background job of a script ignores SIGINT; env resets it.
  env --default-signal=INT "$CBENCH" run long.yaml --json --out $signal >$signal.out 2>$signal.err &
  harness=$!
  eventually 20 grep -q '"during".*started' $signal/events.jsonl
  kill -$signal $harness
  code=0
  wait $harness || code=$?
  [ $code = 1 ] || fail "exit $code after $signal"
  expect_text $signal.err 'stopping'
  expect_json $signal.out '.verdict.status == "INVALID" and .runs[0].status == "cancelled"'
  expect_json $signal.out '.runs[0].tasks.before.completed == 2 and .runs[0].tasks.later.issued == 0'
  ! pgrep -f 'sleep 347' >/dev/null || fail "a child is still running"
done

# kill -9 of the harness: nothing is left behind, and what it wrote can be reported.
"$CBENCH" run long.yaml --out killed >/dev/null 2>&1 &
harness=$!
eventually 20 grep -q '"during".*started' killed/events.jsonl
kill -9 $harness
wait $harness || true
no_child() { ! pgrep -f 'sleep 347' >/dev/null; }
eventually 10 no_child
expect_exit 1 "$CBENCH" report killed --json
expect_json stdout '.verdict.status == "INVALID" and .runs[0].status == "interrupted"'

# Ctrl-Z stops us but not the engines: what follows is measured wrongly, and the verdict says so.
sed 's/sleep, "347"/sleep, "2"/' long.yaml >pause.yaml
"$CBENCH" run pause.yaml --json --out paused >paused.out 2>paused.err &
harness=$!
state_is() { [ "$(sed 's/.*) //; s/ .*//' /proc/$harness/stat)" = "$1" ]; }
eventually 20 grep -q '"during".*started' paused/events.jsonl
kill -TSTP $harness
eventually 10 state_is T
expect_text paused.err 'stopped, while engines go on'
kill -CONT $harness
code=0
wait $harness || code=$?
[ $code = 1 ] || fail "exit $code after a stop and a continuation"
expect_json paused.out '.verdict.status == "INVALID" and (.verdict.reasons | map(test("Ctrl-Z")) | any)'
expect_json paused.out '.runs[0].tasks | .during.completed == 1 and .later.completed == 2'

# Under nohup a hang-up is nothing.
sed 's/sleep, "347"/sleep, "1"/' long.yaml >short.yaml
nohup "$CBENCH" run short.yaml --json --out hup >hup.out 2>hup.err &
harness=$!
eventually 20 grep -q '"during".*started' hup/events.jsonl
kill -HUP $harness
wait $harness || fail "a hang-up ended a run under nohup"
expect_json hup.out '.verdict.status == "VALID"'
