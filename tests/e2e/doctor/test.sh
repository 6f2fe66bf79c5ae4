# The doctor says what works here and gives a reason for what does not.
. "$(dirname "$0")/../lib.sh"
expect_exit 0 "$CBENCH" doctor
expect_text stdout 'embedded-text'
expect_exit 0 "$CBENCH" doctor --json
expect_json stdout '.device.cores > 0 and (.compute | length > 0)'
expect_json stdout '[.engines[], .protocols[], .apps[], .probes[]] | all(.available or (.reason | length > 0))'
expect_json stdout '[.apps[].name] | contains(["chatbot", "deep_research", "image_gen", "live_captions"])'
# A probe that works shows what it reads, each series with its unit.
expect_json stdout '[.probes[] | select(.available) | (.series | length > 0) and all(.series[]; .unit | length > 0)] | length > 2 and all'
expect_json stdout '.probes[] | select(.name == "memory") | .series[] | select(.name == "available") | .value > 0'
