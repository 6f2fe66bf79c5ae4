# The whole workflow on the real engines with tiny models: all five tasks, in order, real numbers.
. "$(dirname "$0")/../lib.sh"
sed -e 's/synth:llama-3.2-3b-demo/synth:llama-test/; s/synth:whisper-large-v3-turbo-demo/synth:whisper-test/' \
    -e 's/synth:sd3.5-medium-demo/synth:sd3.5-test/; s/max_audio: 30s/max_audio: 8s/; s/requests: 8/requests: 2/' "$CBENCH_SOURCE/scenarios/content_creation.yaml" >flow.yaml
"$CBENCH" run flow.yaml --strategy tamed --json --out record >stdout 2>stderr || [ $? = 1 ] || { cat stderr >&2; fail "run"; }
expect_json stdout '.runs[0].tasks | keys_unsorted | sort == ["analysis","brainstorm","cover_art","outline","subtitles"]'
expect_json stdout '.runs[0].tasks | .outline.start_s >= .analysis.end_s and .outline.start_s >= .brainstorm.end_s'
expect_json stdout '.runs[0].tasks | .cover_art.start_s >= .outline.end_s and .subtitles.start_s >= .outline.end_s'
expect_json stdout 'all(.runs[0].tasks[]; .completed == .issued and .failed == 0 and .issued > 0)'
expect_json stdout '.runs[0].tasks.brainstorm.slo.ttft.p50_s > 0 and .runs[0].tasks.brainstorm.slo.tpot.p50_s > 0'
expect_json stdout '.runs[0].tasks.cover_art.slo.step.p50_s > 0 and .runs[0].tasks.subtitles.slo.segment.p50_s > 0'
expect_json stdout '.runs[0].makespan_s > 0'
expect_text record/report.md 'synthetic'
# The monitor watched each engine by its name, and the harness.
for name in harness text speech image; do
  jq -se --arg name "$name" 'any(.[]; .probe == "process" and .values[$name + ".rss"] > 0) and
    any(.[]; .probe == "footprint" and .values[$name + ".pss"] > 0)' record/samples.jsonl >/dev/null || fail "no memory of $name"
done
