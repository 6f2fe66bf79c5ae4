# kill -9 of an engine (perhaps just then the gate's holder) or of the harness at random moments,
# while two apps share the device through the gate: whoever is left goes on, the record reads, what
# it says adds up, and nothing is left behind. CBENCH_KILLS=200 for a thorough run.
. "$(dirname "$0")/../lib.sh"
rounds=${CBENCH_KILLS:-6}
RANDOM=${CBENCH_SEED:-1}
cat >flow.yaml <<'Y'
consumerbench: 1
name: kills
strategy: credit
warmup: 0
engines:
  text: {use: embedded-text, model: "synth:llama-test", threads: 1, context: 512}
  speech: {use: embedded-speech, model: "synth:whisper-test", threads: 1}
apps:
  chat: {type: chatbot, engine: text, requests: 25, max_tokens: 16, ignore_eos: true, slo: none}
  captions: {type: live_captions, engine: speech, realtime: false, segment: 500ms, max_audio: 4s, slo: none}
workflow:
  talking: {app: chat}
  listening: {app: captions}
Y
alive() { for pid in "$@"; do ! kill -0 "$pid" 2>/dev/null || return 0; done; return 1; }
none_alive() { ! alive "$@"; }
pause() { read -rt "0.$(printf '%03d' $((RANDOM % 400)))" <> <(:) || true; }
completed() { jq -e "[.runs[0].tasks.$1 | .completed, .issued] == [$2, $2]" record/summary.json >/dev/null; }
consistent() {
  expect_json record/summary.json 'all(.runs[0].tasks[]; .completed <= .issued and .completed + .failed == .issued)'
}

shared_before=$(ls /dev/shm)
for ((round = 1; round <= rounds; round++)); do
  rm -rf record
  "$CBENCH" run flow.yaml --out record >out 2>err &
  harness=$!
  eventually 60 grep -sq '"ev":"run"' record/events.jsonl
  text=$(engine_pid record text) speech=$(engine_pid record speech)
  victims=("$text" "$speech" "$harness")
  victim=${victims[RANDOM % 3]}
  pause
  kill -9 "$victim" 2>/dev/null || true  # it may have ended by itself
  code=0
  wait $harness 2>/dev/null || code=$?
  eventually 10 none_alive "$text" "$speech"
  [ "$code" != 137 ] || [ "$victim" = $harness ] || fail "round $round: the harness died with an engine"
  "$CBENCH" report record >out 2>err || [ $? = 1 ] || { cat out err >&2; fail "round $round: the record does not read"; }
  consistent
  # The survivor's work is done whoever held the device when it died.
  [ "$victim" != "$text" ] || completed listening 8 || { cat out >&2; fail "round $round: captions did not go on"; }
  [ "$victim" != "$speech" ] || completed talking 25 || { cat out >&2; fail "round $round: the chat did not go on"; }
done
[ "$(ls /dev/shm)" = "$shared_before" ] || fail "shared memory is left: $(ls /dev/shm)"
