# Nothing that a run started outlives it: not what left its process group and session, not what lost
# its parent, however the run ends, kill -9 of the harness included.
. "$(dirname "$0")/../lib.sh"
# Each of these sleeps has an odd duration of its own, so that it can be found again.
cat >family.sh <<'S'
setsid sh -c 'trap "" TERM HUP INT; sleep 6011 & sleep 6012; :' &
sh -c 'trap "" TERM HUP INT; sleep 6013 & exec sleep 6014' &
(setsid sh -c 'sleep 6015 & exec sleep 6016' &)
: >up
eval "$1"
S
count() { pgrep -fc 'sleep 601[1-6]' || true; }
all_up() { [ "$(count)" -ge 6 ]; }
none_left() { [ "$(count)" = 0 ]; }
flow() {  # what the leader does
  cat <<Y
consumerbench: 1
apps:
  family: {type: exec, command: [bash, family.sh, "$1"], timeout: ${2:-1h}}
workflow:
  t: {app: family}
Y
}
harness=
start() {  # RECORD: runs flow.yaml in the background until the whole family is there
  env --default-signal=INT "$CBENCH" run flow.yaml --out "$1" >out 2>err &
  harness=$!
  eventually 20 all_up
}

# The command ends by itself while they live; none is left when the run says that it is over.
flow 'until [ $(pgrep -fc \"sleep 601[1-6]\") -ge 6 ]; do :; done' >flow.yaml
expect_exit 0 "$CBENCH" run flow.yaml --out ended
none_left || fail "left by a command that ended"

# It is stopped: by its time limit, by Ctrl-C.
flow 'trap \"\" TERM; sleep 6001' 3s >flow.yaml
expect_exit 1 "$CBENCH" run flow.yaml --out limit
none_left || fail "left by a command at its time limit"
flow 'sleep 6001' >flow.yaml
start interrupt
kill -INT $harness
wait $harness || true
none_left || fail "left after Ctrl-C"

# The harness is killed, or told twice to stop and leaves at once.
start killed
kill -9 $harness
wait $harness || true
eventually 10 none_left
flow 'trap \"\" TERM; sleep 6001' >flow.yaml
TSAN_OPTIONS="$TSAN_OPTIONS report_thread_leaks=0" start twice  # it waits for no thread
kill -INT $harness
eventually 10 grep -q stopping err
kill -TERM $harness
code=0
wait $harness || code=$?
[ $code = 143 ] || fail "exit $code after two signals"
eventually 10 none_left
! pgrep -f 'sleep 6001' >/dev/null || fail "the command itself is left"

# A real engine, with a run that is killed while it answers.
cat >engine.yaml <<'Y'
consumerbench: 1
engines:
  text: {use: embedded-text, model: "synth:llama-test", threads: 1}
apps:
  chat: {type: chatbot, engine: text, requests: 100000, max_tokens: 16, ignore_eos: true}
workflow:
  talk: {app: chat}
Y
"$CBENCH" run engine.yaml --out engine >out 2>err &
harness=$!
eventually 60 grep -q '"ev":"done"' engine/events.jsonl
engine=$(engine_pid engine)
warden=$(cut -d' ' -f4 "/proc/$engine/stat")
kill -9 $harness
wait $harness || true
gone() { ! kill -0 "$1" 2>/dev/null; }
eventually 10 gone "$engine"
eventually 10 gone "$warden"
