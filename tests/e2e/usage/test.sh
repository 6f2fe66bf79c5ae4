# Wrong usage: one clear error, exit code 2; help everywhere with examples.
. "$(dirname "$0")/../lib.sh"
expect_exit 0 "$CBENCH" --help
expect_exit 0 "$CBENCH" --version
expect_text stdout '^[0-9]+\.[0-9]+\.[0-9]+'
for command in run check report doctor serve model share; do
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

# A value left empty is a mistake, not a default.
scenario="$CBENCH_SOURCE/scenarios/null.yaml"
for words in "check --synthetic= $scenario" "run --out= $scenario" "run --seed=-1 $scenario" \
             "serve --modality text --model=" "model synth llama-test --quant="; do
  expect_exit 2 "$CBENCH" $words
  [ "$(grep -c . stderr)" = 1 ] || fail "more than one line of error"
done
expect_exit 2 "$CBENCH" serve --modality text --model ''
expect_text stderr '--model: wants a value'
expect_exit 2 "$CBENCH" serve --modality text --model synth:llama-test --quant ''
expect_text stderr '--quant: wants a value'
expect_exit 2 "$CBENCH" model synth llama-test --quant ''

# base/limits.h, as the options have it; scenario/limits_test.cc has the same of scenarios.
for words in "--parallel 0" "--parallel 65" "--context 15" "--context 1048577" "--threads 513" \
             "--port 65536"; do
  expect_exit 2 "$CBENCH" serve --modality text --model synth:llama-test $words
  expect_text stderr "${words% *}"
done
expect_exit 2 "$CBENCH" run --repeat 1001 "$scenario"
expect_text stderr '--repeat'

# Making a model shows its progress to the end, however quick it is.
CBENCH_CACHE="$SCRATCH/cache" expect_exit 0 "$CBENCH" model synth llama-test
expect_text stderr '\(100 %\)$'
