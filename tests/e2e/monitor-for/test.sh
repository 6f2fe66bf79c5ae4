# Records for a while or until it is stopped; the record can be shown again.
. "$(dirname "$0")/../lib.sh"
expect_exit 0 "$CBENCH" monitor --for 1200ms --sample-rate 50 --json --out record
expect_text stderr 'record: .*record'
expect_json stdout '.schema == "cbench.monitor/1" and .duration_s > 1 and .reason == null'
expect_json stdout '.series[] | select(.probe == "cpu" and .name == "busy") | .unit == "ratio" and .values > 1 and .mean >= 0 and .max <= 1'
expect_json stdout '.series[] | select(.probe == "memory" and .name == "available") | .unit == "bytes" and .min > 0 and .missing == 0'
expect_json stdout '[.series[] | select(.probe == "monitor" and .name == "cpu.cpu")] | length == 1'
expect_json stdout '[.probes[] | .state == "present" or (.reason | length > 0)] | all'
expect_json stdout '.probes | map(.name) | contains(["cpu", "rapl", "nvidia", "battery"])'

# Every probe of the doctor is in the record, and says the same of what is missing.
"$CBENCH" doctor --json | jq -S '[.probes[].name] | sort' >doctor
jq -S '[.probes[].name] | sort' stdout >recorded
cmp doctor recorded || fail "the record and the doctor list different probes"

mv stdout first
expect_exit 0 "$CBENCH" report record --json
cmp first stdout || fail "report shows something else"
expect_exit 0 "$CBENCH" report record
expect_text stdout '^  busy +[0-9.]+ %'
expect_text stdout 'watching cost'

# A torn last line is left out; a broken one ends the series, with a reason.
head -c -7 record/samples.jsonl >torn && cp torn record/samples.jsonl
expect_exit 0 "$CBENCH" report record --json
expect_json stdout '.reason == null and (.series | length > 0)'
printf '\n{}\n' >>record/samples.jsonl
expect_exit 0 "$CBENCH" report record --json
expect_json stdout '(.reason | test("samples.jsonl:[0-9]+")) and (.series | length > 0)'

# Without --for, Ctrl-C is how it ends.
env --default-signal=INT "$CBENCH" monitor --out open --json >open.out 2>open.err &
monitor=$!
eventually 20 test -s open/samples.jsonl
kill -INT $monitor
wait $monitor || fail "exit $? after Ctrl-C"
expect_json open.out '.series | length > 0'

# With it, Ctrl-C came too early: the record is kept, the exit code says so.
env --default-signal=INT "$CBENCH" monitor --for 300s --out early --json >early.out 2>early.err &
monitor=$!
eventually 20 test -s early/samples.jsonl
kill -INT $monitor
code=0
wait $monitor || code=$?
[ $code = 1 ] || fail "exit $code"
expect_json early.out '.series | length > 0'
expect_text early/events.jsonl '"run_end","status":"cancelled"'

for wrong in '--for 0s' '--for soon' '--for 1s -- true' '--sample-rate 0' '--sample-rate 201' '--for 1s --out record'; do
  expect_exit 2 "$CBENCH" monitor $wrong
done
expect_exit 0 "$CBENCH" monitor --help
expect_text stdout 'Examples:'
