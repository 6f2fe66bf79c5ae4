# Each app alone, then two strategies, one with a gate, in two repetitions. record.jq makes the
# events from round numbers, so that every figure below can be worked out by hand.
. "$(dirname "$0")/../lib.sh"
mkdir record
cp "$CASE/run.json" record/
jq -nc -f "$CASE/record.jq" >record/events.jsonl
expect_exit 0 "$CBENCH" report record
diff -u "$CASE/expected.txt" stdout || fail "the terminal table changed"
diff -u "$CASE/expected.md" record/report.md || fail "report.md changed"
json=record/summary.json

# Exclusive runs are no strategies.
expect_json $json '[.runs[].strategy] == ["greedy", "credit", "greedy", "credit"]'
expect_json $json '.exclusive.chat | .runs == 2 and .completed == 44 and .metrics.itl.p99 == 0.01'

# Gaps of 30 and 12 ms against 10 ms alone, steps of 150 and 400 ms against 100 ms. One repetition
# has 220 gaps in greedy's chat and in credit's; 16 steps are too few for a p99.
expect_json $json '.runs[0].tasks.talk.slowdown == {"p50": 3, "p99": 3}'
expect_json $json '.runs[0].apps.art.slowdown | (.p50 * 1000 | round) == 1500 and .p99 == null'
expect_json $json '.strategies[1].apps.chat.slowdowns | .itl.p50 == 1.2 and .ttft.p50 == 1'
expect_json $json '.strategies[1].apps.art.slowdown_reason | test("needs 200 samples of step")'

# Progress: 10/30 and 100/150; 10/12 and 100/400.
expect_json $json '.strategies | map(.fairness.progress.median * 1000 | round) == [900, 775]'
expect_json $json '.strategies[0].apps.chat | .met == 0 and .issued == 44 and .attainment == 0'
expect_json $json '.strategies[1].makespan_to_greedy * 7700 | round == 4000'

# 300 holds of 5 ms in 4 s.
expect_json $json '.strategies[1].device | .source == "steps" and .busy.gpu.median == 0.375'
expect_json $json '.strategies[0] | .device.busy == {} and (.device.reason | length > 0) and .gate == null'
expect_json $json '.strategies[1].gate | .holds == 600 and .wait.p99 == 0.002 and .hold.max == 0.005
  and (.prediction_error * 100 | round) == 20 and .above_prediction == 1'
expect_json $json '.strategies[1].grain == {"image": "request", "text": "step"}'

# A baseline that failed spoils the whole, by name.
mkdir failed
cp record/run.json failed/
jq -c 'if .ev == "done" and .id == 1000 then .failure = {kind: "timeout", message: "x"} else . end
  | select(.ev != "run_end" or .t != 6100e6)' record/events.jsonl >failed/events.jsonl
expect_exit 1 "$CBENCH" report failed
expect_text stdout 'INVALID: art alone, repetition 1: interrupted'

# Foreign names stay text in every table.
mkdir hostile
name='c\u001b[31m|<b>@all#1`'
sed "s/\"chat\"/\"$(printf %s "$name" | sed 's/[\\|]/\\&/g')\"/g; s/\"credit\"/\"$name\"/g" \
  record/run.json >hostile/run.json
jq -c --argjson name "\"$name\"" 'if .app == "chat" then .app = $name else . end
  | if .alone == "chat" then .alone = $name else . end
  | if .strategy == "credit" then .strategy = $name else . end' record/events.jsonl \
  >hostile/events.jsonl
expect_exit 0 "$CBENCH" report hostile
for file in stdout hostile/report.md; do
  if LC_ALL=C tr -d '\n' <$file | LC_ALL=C grep -q '[[:cntrl:]]'; then fail "control characters in $file"; fi
done
if grep -Eq '<b>|@all|[^&]#1|`' hostile/report.md; then fail "live markup in report.md"; fi
[ "$(LC_ALL=C.UTF-8 wc -L <stdout)" -le 80 ] || fail "a line over 80 columns"
