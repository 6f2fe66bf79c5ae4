#!/usr/bin/env bash
# Engines whose own calls are switched off, with libcbench-gate.so in front of them, under a run's
# gate: every graph of both is in the record, and never do two have the device at once.
. "$(dirname "$0")/../lib.sh"
export ASAN_OPTIONS="$ASAN_OPTIONS verify_asan_link_order=0"  # the library is loaded before asan's

cat > s.yaml <<'YAML'
consumerbench: 1
name: shim
engines:
  text:   {use: embedded-text, model: "synth:llama-test", context: 2048}
  speech: {use: embedded-speech, model: "synth:whisper-test"}
apps:
  chat:     {type: chatbot, engine: text, requests: 4, max_tokens: 16, ignore_eos: true, slo: none}
  captions: {type: live_captions, engine: speech, segment: 500ms, max_audio: 1s, timeout: 1h, slo: none}
workflow:
  talk:   {app: chat}
  listen: {app: captions}
YAML
export CBENCH_HOOK=off LD_PRELOAD="$(dirname "$CBENCH")/libcbench-gate.so"
expect_exit 0 "$CBENCH" run s.yaml --strategy credit --out record --json
unset LD_PRELOAD
jq -s '[.[] | select(.ev == "step")] | sort_by(.begin)' record/events.jsonl >steps.json
expect_json steps.json '(map(.engine) | unique) == ["speech", "text"]'
expect_json steps.json 'all(.[]; .kind == "graph" and .size > 0 and .asked <= .begin)'
expect_json steps.json '[.[1:], .[:-1]] | transpose | all(.[0].begin >= .[1].end)'
# Four answers of 16 tokens; two segments, each an encoder pass of three graphs and some tokens.
expect_json steps.json '(map(select(.engine == "text")) | length) >= 64'
expect_json steps.json '(map(select(.engine == "speech")) | length) >= 8'

# A command that uses a shared ggml, as an app of its own: here an engine that answers once.
cat > ask.sh <<'S'
"$CBENCH" serve --modality text --model synth:llama-test --threads 1 --context 256 --device cpu \
  >port &
server=$!
until url=$(grep -o 'http://127[^"]*' port) && curl -sf "$url/health" >/dev/null; do read -rt 0.05 <> <(:); done
curl -sf "$url/v1/completions" -d '{"prompt": "Once", "max_tokens": 8, "ignore_eos": true}' >answer
kill $server
S
cat > command.yaml <<'YAML'
consumerbench: 1
name: command
apps:
  mail: {type: exec, command: [bash, ask.sh], ggml: shared, class: background, slo: none}
workflow:
  read: {app: mail}
YAML
expect_exit 0 "$CBENCH" run command.yaml --strategy credit,tamed --out commands --json
expect_json commands/run.json '.arrangements.credit.mail.grain == "graph" and .arrangements.tamed.mail.grain == "none"'
jq -s '[.[] | select(.ev == "step")]' commands/events.jsonl >steps.json
expect_json steps.json 'length >= 8 and all(.[]; .engine == "mail" and .app == "mail" and .kind == "graph")'
