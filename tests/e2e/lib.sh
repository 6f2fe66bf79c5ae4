# Sourced by every tests/e2e/CASE/test.sh: a scratch folder, the binary and a few assertions.
set -euo pipefail
: "${CBENCH:?path of the binary}" "${CBENCH_SOURCE:?path of the source tree}"
CASE=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
SCRATCH=$(mktemp -d)
FINDINGS=$(mktemp -d)
trap finish EXIT
cd "$SCRATCH"

# Under a sanitizer: what it finds in any process of the case, engines among them whose exit code
# nobody looks at, fails the case.
for sanitizer in ASAN_OPTIONS TSAN_OPTIONS; do
  export "$sanitizer=${!sanitizer:-} log_path=$FINDINGS/found"
done

finish() {
  local code=$?
  if compgen -G "$FINDINGS/*" >/dev/null; then cat "$FINDINGS"/* >&2; code=1; fi
  rm -rf "$SCRATCH" "$FINDINGS"
  exit $code
}

fail() { printf 'FAIL: %s\n' "$*" >&2; exit 1; }

# expect_exit CODE COMMAND…: runs it, keeps stdout and stderr in files of those names.
expect_exit() {
  local wanted=$1 got=0
  shift
  "$@" >stdout 2>stderr || got=$?
  [ "$got" = "$wanted" ] || { cat stdout stderr >&2; fail "exit $got instead of $wanted: $*"; }
}

# expect_text FILE REGEX: extended regular expression somewhere in the file.
expect_text() { grep -Eq -- "$2" "$1" || { cat "$1" >&2; fail "no /$2/ in $1"; }; }

# expect_json FILE FILTER: the jq filter is true.
expect_json() { jq -e "$2" "$1" >/dev/null || { jq . "$1" >&2 || cat "$1" >&2; fail "not so in $1: $2"; }; }

# eventually SECONDS COMMAND…: until it succeeds; bounded.
eventually() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "still not: $*"
    read -rt 0.05 <> <(:) || true
  done
}

# engine_pid RECORD [NAME]: the process of the engine of that name, or of each, also of a record that
# is still being written.
engine_pid() {
  jq -rR --arg name "${2:-}" 'fromjson? | select(.ev == "engine" and .state == "ready")
    | select($name == "" or .engine == $name) | .pid' "$1/events.jsonl"
}
