# Nobody reads what a command prints: no crash, no word about it, and the exit code of the command
# itself. A full disk is an error, once. Standard descriptors that are closed stay unused.
. "$(dirname "$0")/../lib.sh"
scenario="$CBENCH_SOURCE/scenarios/null.yaml"
cp -r "$CASE/../report-valid/record" record
export CBENCH

commands=(
  "doctor" "doctor --json" "model list" "model list --json" "--help" "run --help" "--version"
  "check $scenario" "check --json $scenario" "report record" "report --json record" "run $scenario --json"
)
for command in "${commands[@]}"; do
  # true is gone before the first byte, head after it.
  for reader in true 'head -c 1'; do
    codes=$(bash -c "'$CBENCH' $command 2>stderr | $reader >/dev/null; echo \${PIPESTATUS[0]}")
    [ "$codes" = 0 ] || { cat stderr >&2; fail "exit $codes: cbench $command | $reader"; }
    if grep -Eiq 'error|exception|terminate|pipe' stderr; then cat stderr >&2; fail "cbench $command | $reader"; fi
  done
  expect_exit 1 bash -c "'$CBENCH' $command >/dev/full"
  expect_text stderr 'error: standard output could not be written'
done

# Without one of the three descriptors, what is opened next must not be taken for it.
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
  rm -rf kept
  expect_exit 0 bash -c "'$CBENCH' run '$scenario' --out kept $closed"
  jq -e . kept/events.jsonl >/dev/null || fail "foreign text in the record with $closed"
  jq -e '.schema' kept/run.json >/dev/null || fail "run.json with $closed"
  expect_exit 0 "$CBENCH" report kept --json
  expect_json stdout '.verdict.status == "VALID"'
done
