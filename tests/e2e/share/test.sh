#!/usr/bin/env bash
# Programs share the user's gate: it is there with the first, shows both, outlives one that is
# killed, and goes with the last. The program's exit code, signals and streams are its own.
. "$(dirname "$0")/../lib.sh"
export ASAN_OPTIONS="$ASAN_OPTIONS verify_asan_link_order=0"  # the library is loaded before asan's
export XDG_RUNTIME_DIR="$SCRATCH/run"
mkdir -m 700 run
shared_before=$(ls /dev/shm)
gate=run/cbench-gate
share() { "$CBENCH" share "$@"; }
status() { "$CBENCH" share status --json >status.json; }

started=()
stop_all() { [ ${#started[@]} = 0 ] || kill -9 "${started[@]}" 2>/dev/null || true; }
trap 'code=$?; set +e; stop_all; (exit $code); finish' EXIT

# Nobody yet.
expect_exit 0 share status
expect_text stdout '^nobody shares the device$'
expect_exit 0 share status --json
expect_json stdout '.apps == []'

# Exit code, streams, environment, signals.
expect_exit 7 share -- sh -c 'cat; echo out; echo err >&2; exit 7' </dev/null
[ "$(cat stdout)" = out ] && [ "$(cat stderr)" = err ] || fail "its streams are not its own"
[ "$(echo in | share -- cat)" = in ] || fail "no standard input"
expect_exit 0 share --class background --weight 2 --name 'mine, all' -- sh -c \
  'echo "$CBENCH_APP|$CBENCH_CLASS|$CBENCH_WEIGHT|$CBENCH_GATE"; stat -c %a "$CBENCH_GATE"'
expect_text stdout "^mine, all\|background\|2\|$SCRATCH/run/cbench-gate$"
expect_text stdout '^600$'
expect_exit 137 share -- sh -c 'kill -9 $$'
expect_exit 127 share -- /nonexistent/program
expect_exit 126 share -- /
[ ! -e $gate ] || fail "the gate is left"
"$CBENCH" share -- bash -c 'trap "echo told; exit 3" TERM; echo up; while :; do read -rt 1 <> <(:); done' >told &
pid=$!
started+=($pid)
eventually 10 grep -q up told
kill -TERM $pid
code=0
wait $pid || code=$?
[ $code = 3 ] && grep -q told told || fail "SIGTERM is not passed on: exit $code"

# Bad usage: exit code 2 and what to change.
expect_exit 2 "$CBENCH" share
expect_text stderr 'after --'
for words in "--class urgent" "--weight 0" "--weight x"; do
  expect_exit 2 "$CBENCH" share $words -- true
  expect_text stderr "${words% *}"
done
expect_exit 2 "$CBENCH" share --name '' -- true
expect_exit 2 "$CBENCH" share status --often
expect_exit 0 "$CBENCH" share --help
expect_text stdout Examples

# Two engines that do not ask by themselves, and both compute.
export CBENCH_HOOK=off
port_of() { sed -nE 's/.*"url": ?"http:..127.0.0.1:([0-9]+)".*/\1/p' "$1"; }
has_port() { [ -n "$(port_of "$1")" ]; }
start() {  # NAME MODEL MODALITY OPTION…
  local name=$1 model=$2 modality=$3
  shift 3
  "$CBENCH" share --name "$name" "$@" -- "$CBENCH" serve --modality "$modality" --model "synth:$model" \
    --threads 1 --context 256 --device cpu >"$name.out" 2>"$name.err" &
  started+=($!)
  eventually 60 has_port "$name.out"
}
healthy() { curl -sf "http://127.0.0.1:$(port_of "$1.out")/health" >/dev/null; }
ask() {
  curl -sf "http://127.0.0.1:$(port_of "$1.out")/v1/completions" \
    -d '{"prompt": "Once", "max_tokens": 32, "ignore_eos": true}' >"$1.json"
}
start one llama-test text --class latency
one=${started[-1]}
start two llama-test text --class background --weight 3
two=${started[-1]}
eventually 60 healthy one
eventually 60 healthy two
ask one &
asking=$!
ask two
wait $asking
status
expect_json status.json '.policy == "credit" and (.apps | map(.app)) == ["one", "two"]'
expect_json status.json '.apps | map(.class, .weight) == ["latency", 1, "background", 3]'
expect_json status.json 'all(.apps[]; .steps >= 32 and .steps_per_s > 0 and (.pids | length) == 1)'
expect_exit 0 share status
expect_text stdout '^one +latency +1 +[0-9]+ '
expect_text stdout '^two +background +3 +[0-9]+ '

# One engine is killed, then the other's starter: what is left goes on.
gone() { ! kill -0 "$1" 2>/dev/null; }
pid_of() { jq -r --arg app "$1" '.apps[] | select(.app == $app) | .pids[0]' status.json; }
engine_two=$(pid_of two) engine_one=$(pid_of one)
started+=("$engine_one" "$engine_two")
kill -9 "$engine_two"
code=0
wait $two || code=$?
[ $code = 137 ] || fail "exit $code of an engine that was killed"
ask one
status
expect_json status.json '.apps | map(select(.pids != []) | .app) == ["one"]'
kill -9 $one
wait $one || true
ask one
[ -e $gate ] || fail "the gate is gone while an engine is in it"
kill -TERM "$engine_one"
eventually 20 gone "$engine_one"
expect_exit 0 share status
[ ! -e $gate ] || fail "the gate is left"
[ "$(ls /dev/shm)" = "$shared_before" ] || fail "shared memory is left: $(ls /dev/shm)"
