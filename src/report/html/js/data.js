// The page's data (cbench.page/1) and its columns as arrays. Time is seconds from the run's start.
const page = JSON.parse(document.getElementById('data').textContent);
const summary = page.summary;
const MICRO = 1e-6;

function sums(deltas, factor) {
  let value = 0;
  return Float64Array.from(deltas, (delta) => (value += delta) * factor);
}

function plain(column, length, factor = 1) {
  if (!Array.isArray(column)) return new Float64Array(length).fill(column * factor);
  return Float64Array.from(column, (value) => value * factor);
}

// Columns -> one object of typed arrays; `begin` is when it had what it asked for.
function decodeSpans(json, keys) {
  const asked = sums(json.t, MICRO);
  const n = asked.length;
  const wait = plain(json.wait, n, MICRO);
  const length = plain(json.length, n, MICRO);
  const spans = {n, asked, begin: asked.map((t, i) => t + wait[i])};
  spans.end = spans.begin.map((t, i) => t + length[i]);
  spans.size = plain(json.size, n);
  spans.count = plain(json.count, n);
  for (const [key, factor] of keys) spans[key] = plain(json[key], n, factor);
  return spans;
}

function decodeRequests(json) {
  const spans = decodeSpans(json, [['outcome', 1], ['first', MICRO], ['text', 1]]);
  spans.task = sums(json.task, 1);
  spans.texts = json.texts;
  spans.thinned = json.thinned;
  return spans;
}

function decodeSteps(json) {
  const spans = decodeSpans(json, [['busy', MICRO], ['predicted', MICRO]]);
  spans.group = sums(json.group, 1);
  spans.groups = json.groups;
  spans.thinned = json.thinned;
  return spans;
}

function decodeCurve(json) {
  if (!json.t) return json;
  const curve = {...json, t: sums(json.t, 1e-3)};
  let value = 0;
  curve.v = json.v.map((delta) => delta === null ? null : (value += delta) * json.scale);
  const shifted = (column, sign) => column && curve.v.map(
      (v, i) => v === null ? null : v + sign * column[i] * json.scale);
  curve.low = shifted(json.below, -1);
  curve.high = shifted(json.above, 1);
  return curve;
}

// Decoded when a run is first looked at.
const decoded = new Map();
function runData(index) {
  if (!decoded.has(index)) {
    const run = page.runs[index];
    decoded.set(index, {
      length: Math.max(run.length * MICRO, 1e-6),
      rows: run.rows,
      requests: decodeRequests(run.requests),
      steps: decodeSteps(run.steps),
      ticks: run.ticks && run.ticks.map((deltas) => sums(deltas, MICRO)),
      curves: run.curves.map(decodeCurve),
      curvesReason: run.curves_reason,
    });
  }
  return decoded.get(index);
}

function runTitle(index) {
  const run = summary.runs[index];
  const repeated = summary.runs.filter((other) => other.strategy === run.strategy).length > 1;
  return run.strategy + (repeated ? ' #' + (run.repeat + 1) : '');
}

const tasksOf = (index) => entries(summary.runs[index].tasks).map(([name, task]) => ({name, ...task}));

// Why a probe's values are not there.
function probeReason(...names) {
  if (!summary.probes.length) return 'the record names no probes';
  const reasons = names.map((name) => summary.probes.find((probe) => probe.name === name))
      .filter((probe) => probe && probe.reason).map((probe) => probe.name + ': ' + probe.reason);
  return reasons.join('; ') || 'no reading in this run';
}
