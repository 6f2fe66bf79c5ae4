# device: gpu without a GPU is refused by check and run before anything starts, where it stands and
# with the way out; the doctor gives the reason. Where there is a GPU, all three agree on that.
. "$(dirname "$0")/../lib.sh"
cat >native.yaml <<'Y'
consumerbench: 1
engines:
  text:
    use: embedded-text
    device: gpu
    model: "synth:llama-test"
apps: {a: {type: chatbot, engine: text}}
workflow: {t: {app: a}}
Y
cat >original.yml <<'Y'
chat:
    model: "synth:llama-test"
    device: gpu
    type: Chatbot
workflows:
    t: {uses: chat}
Y

agree() {
  local reason
  expect_exit 0 "$CBENCH" doctor --json
  if jq -e '.gpu.available' stdout >/dev/null; then
    expect_json stdout '[.compute[].type] | map(test("gpu")) | any'
    expect_exit 0 "$CBENCH" check native.yaml original.yml
    return
  fi
  expect_json stdout '[.compute[].type] | map(test("gpu")) | any | not'
  reason=$(jq -r .gpu.reason stdout)
  [ -n "$reason" ] || fail "no reason"
  expect_exit 0 "$CBENCH" doctor
  grep -F "no gpu   $reason" stdout >/dev/null || fail "the doctor keeps the reason to itself"
  for place in native.yaml:5:13 original.yml:3:13; do
    expect_exit 2 "$CBENCH" check "${place%%:*}"
    expect_text stderr "^cbench: error: $place: engine 'text': device: gpu, but there is no GPU for it: "
    expect_text stderr 'write device: cpu or auto, as --synthetic does$'
    grep -F "$reason" stderr >/dev/null || fail "check gives another reason than the doctor"
    expect_exit 2 "$CBENCH" run "${place%%:*}" --out record
    expect_text stderr "$place"
    [ ! -e record ] || fail "a record of a run that cannot start"
  done
  expect_exit 2 "$CBENCH" serve --modality text --model synth:llama-test --device gpu
  grep -F "$reason" stderr >/dev/null || fail "serve gives another reason than the doctor"
  expect_exit 0 "$CBENCH" check --synthetic native.yaml original.yml
}
agree

# A ggml with a GPU backend that cannot be loaded: the reason is the loader's own.
expect_exit 0 "$CBENCH" doctor --json
if jq -e '.gpu.available | not' stdout >/dev/null; then
  ggml=${CBENCH_GGML_DIR:-$CBENCH_SOURCE/node_modules/@node-llama-cpp/linux-x64/bins/linux-x64}
  if [ -e "$ggml/libggml-base.so" ]; then
    mkdir ggml
    ln -s "$ggml"/* ggml/
    echo 'no library' >ggml/libggml-cuda.so
    export CBENCH_GGML_DIR="$PWD/ggml"
    expect_exit 0 "$CBENCH" doctor --json
    expect_json stdout '.gpu.reason | test("libggml-cuda.so: .*(invalid|too short)")'
    agree
  fi
fi
