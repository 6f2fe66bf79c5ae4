# report.html in a real browser: no error, no network, and what a reader clicks does what it says.
# Whatever is cut off a record, and however hostile its names are, the page is whole.
. "$(dirname "$0")/../lib.sh"
command -v chromium >/dev/null || fail "chromium is missing: run tools/setup"
other=$CASE/../report-exclusive
mkdir full
cp "$other/run.json" full/
jq -nc -f "$other/record.jq" >full/events.jsonl
end=$(tail -n 1 full/events.jsonl | jq .t)
# A probe every 100 ms, with a gap.
{
  echo '{"probe":"cpu","units":{"busy":"ratio"}}'
  echo '{"probe":"memory","units":{"available":"bytes"}}'
  for ((t = 0; t <= end; t += 100000000)); do
    echo "{\"t\":$t,\"probe\":\"cpu\",\"values\":{\"busy\":$((t / 100000000 % 10 == 3)).5}}"
    echo "{\"t\":$t,\"probe\":\"memory\",\"values\":{\"available\":$((t % 7 ? 2000000000 : 1000000000))}}"
  done
} >full/samples.jsonl
expect_exit 0 "$CBENCH" report full

cp -r "$CASE/../report-hostile/record" hostile
script='</script><script>alert(1)</script><img src=x onerror=alert(2)>'
sed -i "s|<b>@all|<b>@all$script|g" hostile/run.json hostile/events.jsonl
expect_exit 1 "$CBENCH" report hostile

# An hour of 200 000 events.
mkdir big
cp "$other/run.json" big/
awk -f "$CASE/big.awk" >big/events.jsonl
"$CBENCH" report big >/dev/null || [ $? = 1 ] || fail "a big record"
[ "$(wc -c <big/report.html)" -lt 3000000 ] || fail "$(wc -c <big/report.html) bytes of report.html"

# Cut off at any byte, it is still a record with a page.
cut_record() { # BYTES NAME
  mkdir "$2"
  cp full/run.json full/samples.jsonl "$2/"
  head -c "$1" full/events.jsonl >"$2/events.jsonl"
  "$CBENCH" report "$2" >/dev/null 2>stderr || [ $? = 1 ] || { cat stderr >&2; fail "cut at $1"; }
  tail -c 20 "$2/report.html" | grep -q '</html>' || fail "no whole page after a cut at $1"
  gzip -dc "$2/trace.json.gz" | jq -e '.traceEvents | length > 0' >/dev/null ||
    fail "no whole trace after a cut at $1"
}
size=$(wc -c <full/events.jsonl)
for ((i = 0; i < 40; ++i)); do
  at=$((size * i / 40 + i * 7 % 97))
  if ((i % 5 == 0)); then cut_record $at "seen-$i"; else cut_record $at "cut-$i"; fi
done
mkdir seen-samples
cp full/run.json full/events.jsonl seen-samples/
head -c $(($(wc -c <full/samples.jsonl) / 2)) full/samples.jsonl >seen-samples/samples.jsonl
expect_exit 0 "$CBENCH" report seen-samples

node "$CASE/page.js" "$SCRATCH" seen-*
