# Models and data that are not on this machine: exit code 1, where they are named, both ways out.
. "$(dirname "$0")/../lib.sh"
cat >flow.yml <<'Y'
chat1:
    model: models/Some-7B-Instruct-f16.gguf
    num_requests: 3
    device: cpu
    type: Chatbot

lv:
    num_requests: 1
    client_command_file: datasets/meeting.wav
    type: LiveCaptions

workflows:
    chat:
        uses: chat1

    captions:
        uses: lv
        depend_on: ["chat"]
Y
expect_exit 1 "$CBENCH" check flow.yml
expect_text stdout "^  flow.yml:2:12: engine 'text': model 'models/Some-7B-Instruct-f16.gguf' is not on this machine"
expect_text stdout "flow.yml:7:1: app 'lv': audio file 'datasets/meeting.wav'"
expect_text stdout '--synthetic, or set model:'
expect_exit 1 "$CBENCH" check flow.yml --json
expect_json stdout '.missing | length == 2'

expect_exit 0 "$CBENCH" check --synthetic flow.yml --json
expect_json stdout '.missing == [] and .apps[1].audio == ""'
expect_json stdout '[.engines[].model] == ["synth:llama-3.2-3b-demo", "synth:whisper-large-v3-turbo-demo"]'

mkdir -p models datasets
CBENCH_CACHE=cache expect_exit 0 "$CBENCH" model synth llama-test
cp cache/models/llama-test-*.gguf models/Some-7B-Instruct-f16.gguf
: >datasets/meeting.wav
expect_exit 0 "$CBENCH" check flow.yml
