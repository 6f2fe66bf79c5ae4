# Model files that are there but cannot be what their engine needs: check and run name the place and
# the way out with exit code 2, before anything starts; serve says the same of its --model.
. "$(dirname "$0")/../lib.sh"
export CBENCH_CACHE="$SCRATCH/cache"
for model in llama-test whisper-test sd3.5-test; do
  expect_exit 0 "$CBENCH" model synth $model
done
cp cache/models/llama-test-*.gguf text.gguf
cp cache/models/whisper-test-*.bin speech.bin
cp cache/models/sd3.5-test-*.gguf image.gguf

declare -A app=([text]=chatbot [speech]=live_captions [image]=image_gen)

scenario() {  # MODALITY MODEL
  cat <<Y
consumerbench: 1
engines:
  it:
    use: embedded-$1
    model: "$2"
apps: {a: {type: ${app[$1]}, engine: it}}
workflow: {t: {app: a}}
Y
}

refused() {  # MODALITY MODEL REGEX: what is wrong with the file, said by all three
  scenario "$1" "$2" >flow.yaml
  expect_exit 2 "$CBENCH" check flow.yaml
  [ "$(wc -l <stderr)" = 1 ] || fail "more than one line of error"
  expect_text stderr "^cbench: error: flow.yaml:5:12: engine 'it': model $2$3"
  expect_exit 2 "$CBENCH" check --json flow.yaml
  expect_json stdout '.missing == [] and (.unusable | length == 1)'
  expect_exit 2 "$CBENCH" run flow.yaml --out record
  expect_text stderr "^cbench: error: flow.yaml:5:12: engine 'it': model $2$3"
  [ ! -e record ] || fail "a record of a run that cannot start"
  expect_exit 2 "$CBENCH" serve --modality "$1" --model "$2"
}

accepted() {  # MODALITY MODEL
  scenario "$1" "$2" >flow.yaml
  expect_exit 0 "$CBENCH" check flow.yaml --json
  expect_json stdout '.missing == [] and .unusable == []'
}

mkdir folder
: >empty.bin
echo 'just some words that are no model' >words.bin
printf '\x40\0\0\0\0\0\0\0{"__metadata__":{"format":"pt"}}' >tensors.safetensors
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n' >pointer.gguf
printf 'PK\x03\x04archive' >model.pt
echo '<!DOCTYPE html><html><body>404</body></html>' >page.gguf
mkfifo pipe.gguf
cat >liar.bin < <(printf 'lmgg'; head -c 400 /dev/zero | tr '\0' '\377')

cut() { head -c "$2" "$1" >"$3"; }
half() { cut "$1" $(($(stat -c %s "$1") / 2)) "$2"; }
short() { cut "$1" $(($(stat -c %s "$1") - 100)) "$2"; }
for file in text.gguf image.gguf speech.bin; do
  half $file half-$file
  short $file short-$file
  cut $file 20 head-$file
done

for modality in text speech image; do
  refused $modality folder ' is a directory; '
  refused $modality empty.bin ' is empty; '
  refused $modality words.bin ' is not a (GGUF|whisper).* but something else; '
  refused $modality tensors.safetensors ' is not .* but a safetensors file; '
  refused $modality pointer.gguf ' is not .* but a Git LFS pointer'
  refused $modality model.pt ' is not .* but a PyTorch'
  refused $modality page.gguf ' is not .* but a web page'
  refused $modality pipe.gguf ' is not a file; '
done
for file in text.gguf image.gguf; do
  modality=${file%.*}
  accepted $modality $file
  refused $modality half-$file ' is damaged or was cut short '
  refused $modality short-$file ' is damaged or was cut short '
  refused $modality head-$file ' is damaged or was cut short \(20 B are there\); '
  refused $modality speech.bin ' is not a GGUF file but a whisper.cpp model; '
done
accepted speech speech.bin
refused speech half-speech.bin ' was cut short after '
refused speech short-speech.bin ' was cut short after '
refused speech head-speech.bin ' was cut short after 20 bytes'
refused speech liar.bin ' is damaged: hyper-parameter -1 at byte 4'
refused speech text.gguf ' is not a whisper.cpp model .* but a GGUF file; '
refused text image.gguf ' is a GGUF file without a vocabulary; '
refused image text.gguf ": general.architecture is 'llama', the image engine runs"

# Not even root reads a file of mode 0 without the capability to.
if [ "$(id -u)" = 0 ]; then
  drop() { setpriv --bounding-set=-dac_override,-dac_read_search "$@"; }
else
  drop() { "$@"; }
fi
cp text.gguf secret.gguf
chmod 0 secret.gguf
scenario text secret.gguf >flow.yaml
expect_exit 2 drop "$CBENCH" check flow.yaml
expect_text stderr "flow.yaml:5:12: engine 'it': model secret.gguf cannot be read: Permission denied"

# A name that would write lines of its own.
evil=$'ev\nil: cbench: error: \x1b[31m.gguf'
: >"$evil"
scenario text 'ev\nil: cbench: error: \x1b[31m.gguf' >"flow$evil.yaml"
expect_exit 2 "$CBENCH" check "flow$evil.yaml"
[ "$(wc -l <stderr)" = 1 ] || fail "a name of two lines makes two"
! grep -q $'\x1b' stderr || fail "an escape sequence of a name reaches the terminal"
expect_exit 2 "$CBENCH" serve --modality text --model "$evil.gone"
[ "$(wc -l <stderr)" = 1 ] || fail "a name of two lines makes two"

# One bad engine does not hide a missing file, nor the plan.
cat >two.yaml <<'Y'
consumerbench: 1
engines:
  bad:  {use: embedded-text, model: words.bin}
  gone: {use: embedded-text, model: nowhere.gguf}
apps: {a: {type: chatbot, engine: bad}, b: {type: chatbot, engine: gone}}
workflow: {t: {app: a}, u: {app: b}}
Y
expect_exit 2 "$CBENCH" check two.yaml
expect_text stderr "two.yaml:3:37: engine 'bad'"
expect_text stdout "two.yaml:4:37: engine 'gone': model 'nowhere.gguf' is not on this machine"
expect_exit 0 "$CBENCH" check --synthetic two.yaml
