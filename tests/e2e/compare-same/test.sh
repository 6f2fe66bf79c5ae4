# Repetitions of the same thing: no regression, whether they are one record or several in a folder.
. "$(dirname "$0")/../lib.sh"
. "$CASE/../compare-regression/records.sh"
make_record before 1.00 0.99 1.01
make_record after 1.01 1.00 0.99
expect_exit 0 "$CBENCH" compare before after
expect_text stdout '^before, 3 repetitions → after, 3 repetitions: greedy$'
expect_text stdout '^makespan +10\.0 s +10\.0 s +[+-]0\.0 % +\[-[0-9.]+, \+[0-9.]+\] +[0-9.]+ same$'
expect_text stdout '^  segment p50 .* same$'
expect_text stdout '^no regression: [0-9]+ same$'
[ "$(LC_ALL=C.UTF-8 wc -L <stdout)" -le 80 ] || fail "over 80 columns"

# The same repetitions as folders of single records.
mkdir -p many/before many/after
for i in 1.00 0.99 1.01; do make_record many/before/$i $i; make_record many/after/$i $i; done
expect_exit 0 "$CBENCH" compare many/before many/after --json
expect_json stdout '.schema == "cbench.compare/1" and .outcome == "no regression"'
expect_json stdout '.pairings[0] | .before.repetitions == 3 and .after.repetitions == 3'
expect_json stdout '[.pairings[].apps[].metrics[].verdict] | unique == ["same"]'
expect_json stdout '.setup_differences == []'

# What differs in set-up is said.
jq '.seed = 9 | .engines.speech.version = "b2"' after/run.json >changed && mv changed after/run.json
expect_exit 0 "$CBENCH" compare before after --markdown
expect_text stdout '^- after: engines\.speech\.version is b2, not b1$'
expect_text stdout '^- after: seed is 9, not 1$'
expect_text stdout '^<details>'

# A real run against itself is the same to the last digit.
printf 'consumerbench: 1\nrepeat: 2\napps: {pause: {type: sleep, duration: 20ms}}\nworkflow: {rest: {app: pause}}\n' >flow.yaml
expect_exit 0 "$CBENCH" run flow.yaml --out record
expect_exit 0 "$CBENCH" compare record record --json
expect_json stdout '[.pairings[].apps[].metrics[].change] | length > 2 and all(. == 0)'
