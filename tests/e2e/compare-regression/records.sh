# make_record DIR FACTOR…: one repetition for each factor, that much slower than usual: 20 caption
# segments in ten seconds.
make_record() {
  local folder=$1 repeat=0 factor
  shift
  mkdir -p "$folder"
  jq -n --argjson repeat $# '{schema: "cbench.record/1", minor: 2, name: "talk", seed: 1,
    started_utc: "2026-12-01T10:20:30Z", clock_base: 1000, cbench_version: "0.1.0", command: [],
    device: {cpu: "Example 1"}, engines: {speech: {version: "b1"}},
    scenario: {name: "talk", strategies: ["greedy"], repeat: $repeat,
      apps: [{name: "captions", type: "live_captions", class: "latency", slo: {segment: 2.0}}],
      tasks: [{name: "talk", app: "captions", requests: 20, after: []}],
      engines: [{name: "speech", use: "embedded-speech", model: "m.bin"}]}}' >"$folder/run.json"
  for factor in "$@"; do
    jq -nc --argjson repeat $repeat --argjson factor "$factor" '
      def ns: . * 1000000000 | floor;
      ($repeat * 100) as $start
      | {t: ($start | ns), ev: "run", strategy: "greedy", repeat: $repeat},
        {t: ($start + 1 | ns), ev: "task", task: "talk", state: "started"},
        (range(20) as $i | ($repeat * 20 + $i + 1) as $id
         | ($start + 1 + $factor * $i / 2) as $begin
         | ($begin + $factor * (0.2 + 0.01 * ($i % 5))) as $stop
         | {t: ($begin | ns), ev: "issue", id: $id, task: "talk", kind: "segment", sched: ($begin | ns)},
           {t: ($stop | ns), ev: "done", id: $id, task: "talk", kind: "segment", sched: ($begin | ns),
            send: ($begin | ns), avail: ($begin | ns), first: ($stop | ns), last: ($stop | ns),
            end: ($stop | ns), audio: 500000000}),
        {t: ($start + 1 + 10 * $factor | ns), ev: "task", task: "talk", state: "finished"},
        {t: ($start + 2 + 10 * $factor | ns), ev: "run_end", status: "done"}'
    repeat=$((repeat + 1))
  done >"$folder/events.jsonl"
}
