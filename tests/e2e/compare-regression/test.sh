# One set is 15 % slower: exit code 3, in every form of output, and however many sides there are.
. "$(dirname "$0")/../lib.sh"
. "$CASE/records.sh"
make_record before 1.00 0.99 1.01
make_record alike 1.01 1.00 0.99
make_record slower 1.15 1.14 1.16
expect_exit 3 "$CBENCH" compare before slower
expect_text stdout '^  segment p50 +220 ms +[0-9]+ ms +\+1[0-9]\.[0-9] % .* worse$'
expect_text stdout '^makespan .* \+15\.0 % .* worse$'
expect_text stdout '^regression: [0-9] worse, '
expect_exit 3 "$CBENCH" compare before alike slower --markdown
expect_text stdout '^### cbench compare: regression$'
expect_text stdout '\| captions \| segment p50 \| .* \| \*\*worse\*\* \|$'
expect_exit 3 "$CBENCH" compare before slower --html page.html
expect_text stdout '^regression: [0-9] worse, '
expect_text page.html '<p class="headline">regression: [0-9] worse, '
expect_exit 3 "$CBENCH" compare before slower alike --json
expect_json stdout '[.pairings[].outcome] == ["regression", "no regression"]'

# The other way round it is better, and no regression.
expect_exit 0 "$CBENCH" compare slower before
expect_text stdout ' better$'

# Strategies of one record: the first is the baseline.
make_record both 1.00 0.99 1.01 1.15 1.14 1.16
sed -i -E '/"ev":"run"/{s/"greedy","repeat":3/"credit","repeat":0/;s/"greedy","repeat":4/"credit","repeat":1/;s/"greedy","repeat":5/"credit","repeat":2/}' both/events.jsonl
expect_exit 3 "$CBENCH" compare both
expect_text stdout '^greedy, 3 repetitions → credit, 3 repetitions$'
expect_exit 0 "$CBENCH" compare both:credit both:greedy
expect_text stdout '^both:credit, 3 repetitions → both:greedy, 3 repetitions$'

# Injected for real: the same task, which takes 15 % longer.
printf 'consumerbench: 1\nrepeat: 3\napps: {pause: {type: sleep, duration: 400ms}}\nworkflow: {rest: {app: pause}}\n' >flow.yaml
sed 's/400ms/460ms/' flow.yaml >slow.yaml
expect_exit 0 "$CBENCH" run flow.yaml --out fast
expect_exit 0 "$CBENCH" run slow.yaml --out slow
code=0
"$CBENCH" compare fast slow >stdout || code=$?
# On a machine so busy that a pause of 0.4 s is no longer one, the noise may hide it.
[ $code = 3 ] || { awk '$1 == "makespan" && $NF == "same"' stdout | grep -q . || fail "exit $code: $(cat stdout)"; }
expect_text stdout 'scenario\.apps\.pause\.[a-z_]+ is 0?\.?46'
