# Wrong scenarios and options: one line that names the place, exit code 2, nothing on stdout.
. "$(dirname "$0")/../lib.sh"
expect_error() {
  local wanted=$1
  shift
  expect_exit 2 "$CBENCH" check "$@"
  [ ! -s stdout ] && [ "$(wc -l <stderr)" = 1 ] || { cat stdout stderr >&2; fail "not one line: $*"; }
  expect_text stderr "^cbench: error: $wanted"
}

for file in "$CBENCH_SOURCE"/tests/conformance/scenario/*.yaml; do
  IFS=' ' read -r _ word place _ < <(head -n 1 "$file" | tr -d '\0')
  [ "$word" = error ] && expect_error ".*/$(basename "$file"):$place " "$file"
done

expect_error 'nowhere.yaml: No such file' nowhere.yaml
expect_error '.*: is a directory' .
head -c 10485760 /dev/zero | tr '\0' '#' >big.yaml
expect_error 'big.yaml: 10485760 bytes, over the limit' big.yaml
head -c 200000 /dev/zero | tr '\0' '[' >deep.yaml
expect_error 'deep.yaml:1:[0-9]+: nested deeper' deep.yaml
expect_error "--strategy: unknown strategy 'gredy'; did you mean 'greedy'" "$CBENCH_SOURCE/scenarios/null.yaml" --strategy gredy
expect_error "--synthetic: 'big' is neither" "$CBENCH_SOURCE/scenarios/null.yaml" --synthetic=big
expect_error 'FILE is required'
expect_error '.*--jason' "$CBENCH_SOURCE/scenarios/null.yaml" --jason

expect_exit 2 "$CBENCH" chek
expect_text stderr "unknown command 'chek'; did you mean 'check'"

# One bad file does not hide another, nor the plan of a good one.
expect_exit 2 "$CBENCH" check nowhere.yaml "$CBENCH_SOURCE/scenarios/null.yaml" also-nowhere.yaml
expect_text stderr '^cbench: error: nowhere'
expect_text stderr '^cbench: error: also-nowhere'
expect_text stdout '^null '

# A full disk is not silent; a reader that leaves is.
export CBENCH CBENCH_SOURCE
expect_exit 1 bash -c '"$CBENCH" check "$CBENCH_SOURCE/scenarios/null.yaml" >/dev/full'
expect_text stderr 'standard output'
many=()
for _ in {1..200}; do many+=("$CBENCH_SOURCE/scenarios/null.yaml"); done
"$CBENCH" check --json "${many[@]}" 2>stderr | head -c 1 >/dev/null || fail "a closed pipe is an error"
[ ! -s stderr ] || fail "a closed pipe is reported"
