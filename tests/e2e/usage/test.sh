# Wrong usage: one clear error, exit code 2; help everywhere with examples.
. "$(dirname "$0")/../lib.sh"
expect_exit 0 "$CBENCH" --help
expect_exit 0 "$CBENCH" --version
expect_text stdout '^[0-9]+\.[0-9]+\.[0-9]+'
for command in run check report doctor serve model; do
  expect_exit 0 "$CBENCH" $command --help
  expect_text stdout 'Example'
done
expect_exit 2 "$CBENCH"
expect_exit 2 "$CBENCH" fly
expect_exit 2 "$CBENCH" run
expect_exit 2 "$CBENCH" run --nonsense x.yaml
expect_text stderr 'nonsense'
expect_exit 2 "$CBENCH" run not-there.yaml
expect_text stderr 'not-there.yaml'
expect_exit 2 "$CBENCH" run --strategy best x.yaml
expect_exit 2 "$CBENCH" report .
[ "$(grep -c . stderr)" = 1 ] || fail "more than one line of error"
