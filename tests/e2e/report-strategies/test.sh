# Two strategies, two repetitions: each run short, then an overview of medians.
. "$(dirname "$0")/../lib.sh"
cp -r "$CASE/record" record
expect_exit 0 "$CBENCH" report record
diff -u "$CASE/expected.txt" stdout || fail "the terminal table changed"
diff -u "$CASE/expected.md" record/report.md || fail "report.md changed"
expect_json record/summary.json '[.runs[] | [.strategy, .repeat]] ==
  [["greedy", 0], ["credit", 0], ["greedy", 1], ["credit", 1]]'
