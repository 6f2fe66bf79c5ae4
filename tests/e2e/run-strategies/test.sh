#!/usr/bin/env bash
# Every strategy in one run, with each app alone first: all runs are there, in order,
# complete, and the record says how each engine got the device.
. "$(dirname "$0")/../lib.sh"

# Behind the gate captions yield to every program while the chat is at work, so on a busy machine they
# may take long: little to do, and time for it.
cat > s.yaml <<'YAML'
consumerbench: 1
name: strategies
repeat: 1
exclusive_baseline: true
engines:
  text:   {use: embedded-text, model: "synth:llama-test", context: 2048}
  speech: {use: embedded-speech, model: "synth:whisper-test"}
apps:
  chat:     {type: chatbot, engine: text, requests: 4, every: 100ms, max_tokens: 8, ignore_eos: true, slo: none}
  captions: {type: live_captions, engine: speech, segment: 500ms, max_audio: 1s, timeout: 1h, class: throughput, slo: none}
workflow:
  talk:   {app: chat}
  listen: {app: captions}
YAML
expect_exit 0 "$CBENCH" run s.yaml --strategy tamed,nice,partition,credit --out record --json
jq -r 'select(.ev == "run") | "\(.repeat) \(.alone // .strategy)"' record/events.jsonl | paste -sd, >runs
expect_text runs '^0 chat,0 captions,0 tamed,0 nice,0 partition,0 credit$'
! grep -q '"failure"' record/events.jsonl || fail "a request failed"
expect_json record/run.json '.arrangements.nice.speech.how | test("nice 10")'
expect_json record/run.json '.arrangements.partition | all(.[]; .how | test("core"))'
# Behind the gate every step is in the record, asked before it was granted.
expect_json record/run.json '.arrangements.credit.text.grain == "step"'
jq -s '[.[] | select(.ev == "step")]' record/events.jsonl >steps.json
expect_json steps.json '(map(.app) | unique) == ["captions", "chat"]'
expect_json steps.json 'all(.[]; .asked <= .begin and .begin <= .end)'
