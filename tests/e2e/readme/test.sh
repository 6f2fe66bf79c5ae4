# What the README promises is there: its scenario is right, its links lead somewhere, its commands
# and options exist, and the documentation's links hold too.
. "$(dirname "$0")/../lib.sh"
readme="$CBENCH_SOURCE/README.md"
awk '/^```yaml/ {inside = 1; next} /^```/ {inside = 0} inside' "$readme" >scenario.yaml
[ -s scenario.yaml ] || fail "no scenario in the README"
expect_exit 0 "$CBENCH" check scenario.yaml

for file in "$readme" "$CBENCH_SOURCE"/docs/*.md "$CBENCH_SOURCE"/src/README.md; do
  while read -r link; do
    [ -e "${file%/*}/$link" ] || fail "$file: a link to $link, which is not there"
  done < <(grep -oE '\]\([^)#]+' "$file" | sed 's/^](//' | grep -v '://' || true)
done

# The table of commands is the program's own list of them.
grep -oE '^\| `cbench [a-z]+' "$readme" | sed '/What runs/d; s/.*cbench //' | sort -u >named
"$CBENCH" --help | sed -n '/^Subcommands:/,/^$/p' | grep -oE '^  [a-z]+' | tr -d ' ' | sort >known
diff named known >&2 || fail "the README's commands are not those of cbench"
grep -E '^\| `cbench' "$readme" | while read -r line; do
  command=$(sed -E 's/^\| `cbench ([a-z]+).*/\1/' <<<"$line")
  "$CBENCH" "$command" --help >help
  for sub in $(grep -oE "cbench $command [a-z]+" <<<"$line" | sed 's/.* //' | sort -u); do
    "$CBENCH" "$command" "$sub" --help >>help
  done
  for option in $(grep -oE -- '--[a-z-]+[a-z]' <<<"$line"); do
    grep -qe "$option" help || fail "the README names $option of cbench $command"
  done
done

# The targets of make that it names, and the variables.
for target in $(grep -oE '(`|^)make [a-z]+' "$readme" | sed 's/.*make //' | sort -u); do
  make -C "$CBENCH_SOURCE" -n "$target" >/dev/null || fail "make $target"
done
grep -q CBENCH_GGML "$CBENCH_SOURCE/cmake/ggml.cmake" || fail "no CBENCH_GGML"
