# Watches a program and its children, ends with it, and stops it when it is stopped itself.
. "$(dirname "$0")/../lib.sh"
expect_exit 0 "$CBENCH" monitor --out good --json -- sh -c 'echo from the command; echo aside >&2; sleep 1.2'
expect_text stderr 'from the command'
expect_text good/logs/command.log 'aside'
expect_json stdout '.series[] | select(.name == "command.rss") | .probe == "process" and .max > 0'
expect_json stdout '.series[] | select(.name == "command.pss") | .probe == "footprint" and .max > 0'
expect_text good/events.jsonl '"task":"command","state":"finished"'
expect_json good/run.json '.name == "monitor-sh" and .scenario.monitor'

expect_exit 1 "$CBENCH" monitor --out bad -- sh -c 'exit 3'
expect_text stderr 'sh: exit status 3'
expect_text stdout 'watching cost'
expect_text bad/events.jsonl '"failed","detail":"exit status 3"'

expect_exit 1 "$CBENCH" monitor --out none -- ./no-such-program
expect_text stderr 'no-such-program'

env --default-signal=INT "$CBENCH" monitor --out stopped --json -- sleep 351 >out 2>err &
monitor=$!
eventually 20 test -s stopped/samples.jsonl
kill -INT $monitor
code=0
wait $monitor || code=$?
[ $code = 1 ] || fail "exit $code"
! pgrep -f 'sleep 351' >/dev/null || fail "the command is still running"
expect_json out '.series | length > 0'
expect_text stopped/events.jsonl '"command","state":"cancelled"'
