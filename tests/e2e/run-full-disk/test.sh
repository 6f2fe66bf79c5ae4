# The disk fills up in the middle of a run: the run stops, says why and what to do, leaves nothing
# running, and what was recorded before can be reported. A limit on the size of files stands in for
# the disk everywhere; where it may be mounted, a small one is really filled.
. "$(dirname "$0")/../lib.sh"
export CBENCH
cat >flow.yaml <<'Y'
consumerbench: 1
engines:
  text: {use: embedded-text, model: "synth:llama-test", threads: 1}
apps:
  chat: {type: chatbot, engine: text, requests: 1, max_tokens: 8, ignore_eos: true}
  many: {type: "null", requests: 200000}
  long: {type: exec, command: [sleep, "353"]}
workflow:
  talk:  {app: chat}
  flood: {app: many, after: [talk]}
  wait:  {app: long}
Y
no_child() { ! pgrep -f 'sleep 353' >/dev/null; }
expect_stopped() {  # RECORD REASON, after the run
  [ ! -s stdout ] || fail "a summary of a record that could not be written"
  expect_text stderr "stopping: $1/events.jsonl: $2"
  expect_text stderr "^cbench: error: $1/events.jsonl: $2; what came before is kept: make room, then see 'cbench report $1'$"
  no_child || fail "a command is left"
  engine=$(engine_pid "$1")
  ! kill -0 "$engine" 2>/dev/null || fail "an engine is left"
  expect_exit 1 "$CBENCH" report "$1" --json
  expect_json stdout '.verdict.status == "INVALID" and .runs[0].status == "interrupted"'
  expect_json stdout '.runs[0].tasks.talk.completed == 1 and .runs[0].tasks.flood.completed > 100'
}

expect_exit 0 "$CBENCH" model synth llama-test  # the limit is on every file
expect_exit 1 bash -c 'ulimit -f 300 && exec "$CBENCH" run flow.yaml --json --out limited'
expect_stopped limited 'File too large'

# In a namespace of its own a mount needs no clean-up.
if unshare -m true 2>/dev/null; then
  mkdir small
  expect_exit 1 unshare -m bash -c 'mount -t tmpfs -o size=500k none small &&
    { "$CBENCH" run flow.yaml --json --out small/full; code=$?; cp -r small/full full; exit $code; }'
  sed -i 's|small/full|full|g' stderr
  expect_stopped full 'No space left on device'
fi

# Nothing fits from the start: nothing is started. (The limit must not be on our own files; at 0
# the thread sanitizer's own would end the program.)
expect_exit 1 bash -o pipefail -c '(ulimit -f 1 && exec "$CBENCH" run flow.yaml --out none) 2>&1 | cat >&2'
expect_text stderr '^cbench: error: none/run.json: File too large$'
no_child || fail "a command without a record"
