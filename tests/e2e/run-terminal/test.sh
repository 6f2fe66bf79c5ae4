# The live line of a run on a terminal of 40 columns: whole characters, never wider than that.
. "$(dirname "$0")/../lib.sh"
cat >flow.yaml <<'Y'
consumerbench: 1
apps:
  pause: {type: sleep, duration: 700ms}
workflow:
  日本語の長い名前のタスク日本語の長い名前: {app: pause}
  ünïcödé: {app: pause}
Y
TERM=xterm script -qec "stty cols 40; '$CBENCH' run flow.yaml --out record >/dev/null" /dev/null >tty </dev/null
iconv -f UTF-8 -t UTF-8 tty >/dev/null || fail "a character cut in two"
tr '\r' '\n' <tty | sed -nE $'s/^( +[0-9]+ s .*)\x1b\\[K$/\\1/p' >live
[ -s live ] || fail "no live line"
[ "$(LC_ALL=C.UTF-8 wc -L <live)" -le 39 ] || fail "a live line over 39 columns"

# A terminal that becomes narrower wraps the line that stands there: its rows are taken back.
cat >wide.yaml <<'Y'
consumerbench: 1
apps:
  pause: {type: sleep, duration: 3s}
workflow:
  a-task-with-quite-a-long-name-of-its-own: {app: pause}
  another-task-with-quite-a-long-name: {app: pause}
Y
cat >narrow.sh <<'S'
stty cols 120
{ until grep -q 'another-task.*0/1' tty; do read -rt 0.05 <> <(:) || true; done; stty cols 40 </dev/tty; } &
"$CBENCH" run wide.yaml --out narrowed >/dev/null
S
export CBENCH
TERM=xterm script -qfec "bash narrow.sh" tty </dev/null >/dev/null
grep -aq $'\r\x1b\\[2A\x1b\\[J *[0-9]* s ' tty || fail "the rows of a wrapped line are left"
