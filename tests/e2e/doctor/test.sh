# The doctor says what works here and gives a reason for what does not.
. "$(dirname "$0")/../lib.sh"
expect_exit 0 "$CBENCH" doctor
expect_text stdout 'embedded-text'
expect_exit 0 "$CBENCH" doctor --json
expect_json stdout '.device.cores > 0 and (.compute | length > 0)'
expect_json stdout '[.engines[], .protocols[], .apps[], .probes[]] | all(.available or (.reason | length > 0))'
expect_json stdout '[.apps[].name] | contains(["chatbot", "deep_research", "image_gen", "live_captions"])'
