# kill -9 of an engine in the middle of a run: the run goes on to its end, failures are counted, the
# crash is in the record and no process is left.
. "$(dirname "$0")/../lib.sh"
cat >chat.yaml <<'Y'
consumerbench: 1
name: killed-engine
engines:
  text: {use: embedded-text, model: "synth:llama-test", threads: 1}
apps:
  chat: {type: chatbot, engine: text, requests: 400, max_tokens: 16, ignore_eos: true}
workflow:
  talk: {app: chat}
Y
"$CBENCH" run chat.yaml --json --out record >out.json 2>err.txt &
harness=$!
eventually 60 grep -q '"ev":"done"' record/events.jsonl
engine=$(engine_pid record)
kill -9 "$engine"
code=0
wait $harness || code=$?
[ $code = 1 ] || fail "exit $code"
expect_json out.json '.verdict.status == "INVALID" and (.verdict.reasons | map(test("crash")) | any)'
expect_json out.json '.runs[0].tasks.talk | .issued == 400 and .completed >= 1 and .failed >= 1'
expect_json out.json '.runs[0].tasks.talk.attainment < 1'
grep -q '"state":"crashed"' record/events.jsonl || fail "no crash in the record"
! kill -0 "$engine" 2>/dev/null || fail "the engine is still there"
