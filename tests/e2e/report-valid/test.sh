# A complete record: the table, summary.json and report.md are exactly as expected.
. "$(dirname "$0")/../lib.sh"
cp -r "$CASE/record" record
expect_exit 0 "$CBENCH" report record
diff -u "$CASE/expected.txt" stdout || fail "the terminal table changed"
diff -u "$CASE/expected.json" record/summary.json || fail "summary.json changed"
diff -u "$CASE/expected.md" record/report.md || fail "report.md changed"
[ ! -s stderr ] || fail "unexpected: $(cat stderr)"

expect_exit 0 "$CBENCH" report record --json
diff -u record/summary.json stdout || fail "--json differs from summary.json"
[ "$(ls record | tr '\n' ' ')" = "events.jsonl report.html report.md run.json summary.json trace.json.gz " ] ||
  fail "left behind: $(ls record)"
