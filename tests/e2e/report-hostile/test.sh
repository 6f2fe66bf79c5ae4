# Names, messages and model output with escape sequences and markup in them stay text.
. "$(dirname "$0")/../lib.sh"
cp -r "$CASE/record" record
expect_exit 1 "$CBENCH" report record
for file in stdout record/report.md; do
  if LC_ALL=C tr -d '\n' <$file | LC_ALL=C grep -q '[[:cntrl:]]'; then fail "control characters in $file"; fi
  if grep -q $'\xe2\x80\xae' $file; then fail "a direction mark in $file"; fi
  iconv -f UTF-8 -t UTF-8 $file >/dev/null || fail "$file is not UTF-8"
done
if grep -Eq '<b>|@all|[^&]#1|`' record/report.md; then fail "live markup in report.md"; fi
# Table rows keep their number of cells.
[ "$(grep -E '^\|' record/report.md | tr -cd '|\n' | sort -u)" = '||||||||' ] ||
  fail "a name broke the table"
jq -e '.runs[0].tasks | length == 1' record/summary.json >/dev/null || fail "summary.json"

# On a terminal there is colour, ours only.
command -v script >/dev/null || exit 0
TERM=xterm NO_COLOR='' script -qec "'$CBENCH' report record" /dev/null >tty </dev/null || true
expect_text tty $'\x1b\\[31mINVALID'
sed -E $'s/\x1b\\[[0-9]+m//g' tty | tr -d '\r\n' >plain
if LC_ALL=C grep -q '[[:cntrl:]]' plain; then fail "foreign control characters on the terminal"; fi
if sed -E $'s/\x1b\\[([0-3]|3[123]|)m//g' tty | grep -q $'\x1b'; then fail "foreign escape sequence"; fi
for off in 'NO_COLOR=1' 'TERM=dumb'; do
  TERM=xterm script -qec "env $off '$CBENCH' report record" /dev/null >tty </dev/null || true
  if grep -q $'\x1b' tty; then fail "colour in spite of $off"; fi
done
TERM=xterm script -qec "'$CBENCH' report --no-color record" /dev/null >tty </dev/null || true
if grep -q $'\x1b' tty; then fail "colour in spite of --no-color"; fi
