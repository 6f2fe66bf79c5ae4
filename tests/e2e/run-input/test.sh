# Data files that apps cannot use: file and line, exit code 2, before an engine is started and
# without a record.
. "$(dirname "$0")/../lib.sh"
refused() {  # APP REGEX, about the file data in it
  cat >flow.yaml <<Y
consumerbench: 1
engines:
  text:   {use: embedded-text, model: "synth:llama-test"}
  speech: {use: embedded-speech, model: "synth:whisper-test"}
  image:  {use: embedded-image, model: "synth:sd3.5-test"}
apps: {a: {$1}}
workflow: {t: {app: a}}
Y
  expect_exit 2 "$CBENCH" run flow.yaml --out record
  [ "$(wc -l <stderr)" = 1 ] || { cat stderr >&2; fail "more than one line of error"; }
  expect_text stderr "^cbench: error: .*$2"
  [ ! -e record ] || fail "a record of a run that cannot start"
}
chat='type: chatbot, engine: text, prompts: data'
research='type: deep_research, engine: text, prompts: data'
image='type: image_gen, engine: image, prompts: data'
captions='type: live_captions, engine: speech, audio: data'

printf '{"id": "a", "prompt": "fine"}\n{"id": "b", "prompt": "no\0t"}\n' >data
refused "$chat" 'data:2: a NUL character'
refused "$image" 'data:2: a NUL character'
printf '{"id": "a", "question": "w\0y"}\n' >data
refused "$research" 'data:1: a NUL character'
printf '\0\0\0\0' >data
refused "$chat" 'data:1: a NUL character'

# The same, escaped.
echo '{"id": "a", "prompt": "no\u0000t"}' >data
refused "$chat" 'data:1: "prompt" must be .* no NUL character'
echo '{"id": "a", "prompt": "fine", "followups": ["fine", "no\u0000t"]}' >data
refused "$chat" 'data:1: "followups" must hold .* no NUL character'
echo '{"id": "a", "messages": [{"role": "user", "content": "no\u0000t"}]}' >data
refused "$chat" 'data:1: "content" must be .* no NUL character'
echo '{"id": "a", "question": "fine", "queries": ["no\u0000t"]}' >data
refused "$research" 'data:1: "queries" must hold .* no NUL character'

: >data
refused "$chat" 'data: holds no line of JSON'
refused "$captions" 'data: '
echo 'some words' >data
refused "$chat" 'data:1: '
refused "$captions" 'data: '
printf '\377\376' >data
refused "$chat" 'data:1: not UTF-8 text'
rm data
mkdir data
refused "$chat" 'data: is a directory'
refused "$captions" 'data'
