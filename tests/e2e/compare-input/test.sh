# What cannot be compared: exit code 2 for what is no record, 4 for records that have nothing in
# common or show nothing.
. "$(dirname "$0")/../lib.sh"
. "$CASE/../compare-regression/records.sh"
make_record good 1 1.01
make_record slow 2 2.01

refuse() { # REGEX SIDE…: exit code 2 with it, on one line
  local regex=$1
  shift
  expect_exit 2 "$CBENCH" compare "$@"
  expect_text stderr "$regex"
  [ "$(wc -l <stderr)" = 1 ] || fail "more than one line: $(cat stderr)"
  [ ! -s stdout ] || fail "output in spite of the error"
}
refuse 'absent: no such folder' good absent
refuse 'good/run\.json: no such folder' good good/run.json
mkdir empty && refuse 'empty: neither a record nor a folder of records' empty good
refuse 'good:credit: holds no run under this strategy' good good:credit
refuse 'good: ran under one strategy; name a second record' good
cp -r good torn && truncate -s -9 torn/events.jsonl && refuse 'torn: cut off, so the run was interrupted' good torn
cp -r good broken && sed -i '3s/.*/{/' broken/events.jsonl && refuse 'events\.jsonl:3: not valid JSON' good broken
cp -r good none && : >none/events.jsonl && refuse 'none: holds no run$' good none
refuse 'excludes' good good --json --markdown

differ() { # REGEX SIDE…: exit code 4 with it
  local regex=$1
  shift
  expect_exit 4 "$CBENCH" compare "$@"
  expect_text stdout "$regex"
}
cp -r good other && sed -i 's/"captions"/"subtitles"/' other/run.json
differ 'they have no app in common' good other
mkdir one two && make_record one/r 1 && make_record two/r 2
differ 'single runs differ' one two
expect_exit 0 "$CBENCH" compare one one
cp -r good failed && sed -i 's/"done"}$/"failed"}/' failed/events.jsonl
differ 'repetition 1 is INVALID' good failed
expect_exit 3 "$CBENCH" compare good slow
