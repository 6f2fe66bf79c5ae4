# Every command's help ends with examples; pasted into a shell as they stand, in the project's folder
# with cbench in the PATH, all of them work. (Here the scenarios are shortened, and runs are told to
# wait passively: the machine may be busy.)
. "$(dirname "$0")/../lib.sh"
export ASAN_OPTIONS="$ASAN_OPTIONS verify_asan_link_order=0"  # share loads its library before asan's
export CBENCH PATH="$SCRATCH/bin:$PATH" CBENCH_CACHE="$SCRATCH/cache"
mkdir bin scenarios cache
cat >bin/cbench <<'S'
#!/usr/bin/env bash
if [ "${1-}" = run ] && [[ "$*" != *--strategy* ]]; then set -- "$@" --strategy tamed; fi
exec "$CBENCH" "$@"
S
chmod +x bin/cbench
for file in "$CBENCH_SOURCE"/scenarios/*.yaml; do
  sed -E -e 's/synth:llama-[^"]*/synth:llama-test/; s/synth:whisper-[^"]*/synth:whisper-test/' \
      -e 's/synth:sd3.5-[^"]*/synth:sd3.5-test/; s/max_audio: [0-9]+s/max_audio: 4s/' \
      -e 's/requests: [0-9]+/requests: 1/; s/steps: [0-9]+/steps: 1/' \
      -e 's/size: [0-9x]+/size: 64x64/' "$file" >"scenarios/${file##*/}"
done
# Models that the user has already need not be made again; removing ours leaves theirs.
cp -rl "${HOME:-/nonexistent}/.cache/cbench/models" cache/ 2>/dev/null || true

# The commands of a help: after "Example", indented by two columns, with the lines they go on in.
examples() {
  cbench "$@" --help | sed -n '/^Example/,$p' | grep -E '^  ( *-d |cbench |curl |kill )' | sed 's/^  //'
}

port=$((20000 + RANDOM % 20000))  # 8080 may be somebody's
try() {  # COMMAND…: its examples in one shell, with job control, as in a terminal
  examples "$@" >examples.sh
  grep -q '^cbench' examples.sh || fail "no example: cbench $* --help"
  sed -i "s/8080/$port/g" examples.sh
  command -v curl >/dev/null || sed -i '/^curl/,/ -d /d' examples.sh
  code=0
  bash -o pipefail -c 'set -m; . ./examples.sh' >out 2>err || code=$?
  # Two strategies on a busy machine may miss what a verdict wants; that is no fault of an example.
  if [ $code = 1 ] && grep -q INVALID out summary.json 2>/dev/null; then code=0; fi
  if [ $code != 0 ] || grep -E '^cbench: error|command not found|No such' err; then
    cat examples.sh out err >&2
    fail "exit $code: examples of cbench $*"
  fi
}

try
for command in run check report compare doctor model 'model list' 'model synth' 'model rm' serve monitor share 'share status'; do
  try $command
done
jq -e '.verdict' summary.json >/dev/null || fail "no summary.json by the example of run"
jq -e . timeline.json >/dev/null || fail "no timeline.json by the example of monitor"
