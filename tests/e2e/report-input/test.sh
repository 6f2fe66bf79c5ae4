# What is not a readable record is exit code 2 and one line that says what is wrong where.
. "$(dirname "$0")/../lib.sh"
record() { rm -rf record && cp -r "$CASE/../report-valid/record" record; }

refuse() { # REGEX: `cbench report record` fails with it, on one line
  expect_exit 2 "$CBENCH" report record
  expect_text stderr "$1"
  [ "$(wc -l <stderr)" = 1 ] || fail "more than one line: $(cat stderr)"
  [ ! -s stdout ] || fail "output in spite of the error"
}

rm -rf record && refuse 'record/run\.json: missing or not a file, so this is not a record'
mkdir record && refuse 'run\.json: missing'
echo '{}' >record/run.json && refuse 'run\.json: not a record'
record && rm record/events.jsonl && refuse 'events\.jsonl: missing'
record && sed -i '3s/.*/{"t":1,/' record/events.jsonl && refuse 'events\.jsonl:3: not valid JSON'
record && sed -i '4s/"repeat":0/"repeat":"x"/;3s/"repeat":0/"repeat":"x"/' record/events.jsonl &&
  refuse 'events\.jsonl:3: "repeat" has the wrong type'
record && sed -i 's,cbench.record/1,cbench.record/9,' record/run.json &&
  refuse 'schema cbench\.record/9, but this cbench reads cbench\.record/1'

# A newer minor version with a kind that is not known yet still reads, and says so.
record && sed -i 's/"minor": 0/"minor": 99/' record/run.json
echo '{"t":5,"ev":"dance","with":[1]}' >>record/events.jsonl
expect_exit 0 "$CBENCH" report record
expect_text stdout '1 events of a newer record version were skipped'

# A directory that cannot be written is still reported; root may write anywhere but over a folder.
record && mkdir record/summary.json
expect_exit 0 "$CBENCH" report record
expect_text stdout ' VALID$'
expect_text stderr 'report files were not written: .*summary\.json'
