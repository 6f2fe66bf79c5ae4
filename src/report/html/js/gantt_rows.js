// What the timeline's rows hold: a row a task with its requests and the steps they took, and a
// lane a device with who held it.
const MOST_ROWS = 150;  // of tasks; a canvas can't be higher than browsers let it
const MOST_LANES = 4;  // of overlapping requests in a row; more are drawn over each other

// Spans in order of time, made so that those inside a view are found by two binary searches.
function makeLane(spans, ids) {
  const order = ids.sort((a, b) => spans.asked[a] - spans.asked[b]);
  let reach = -Infinity;
  return {
    spans, ids: order,
    from: Float64Array.from(order, (id) => spans.asked[id]),
    reach: Float64Array.from(order, (id) => (reach = Math.max(reach, spans.end[id]))),
  };
}

// The first index for which `is` holds, of a list in which all after one that holds hold too.
function firstWhere(length, is) {
  let low = 0, high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(middle)) high = middle; else low = middle + 1;
  }
  return low;
}

const visibleRange = (lane, from, to) => [firstWhere(lane.ids.length, (i) => lane.reach[i] >= from),
                                          firstWhere(lane.ids.length, (i) => lane.from[i] > to)];

// Requests that overlap go below each other.
function packLanes(spans, ids) {
  const ends = [], lanes = [];
  for (const id of ids.sort((a, b) => spans.asked[a] - spans.asked[b])) {
    let lane = ends.findIndex((end) => end <= spans.asked[id] + 1e-9);
    if (lane < 0) lane = Math.min(ends.length, MOST_LANES - 1);
    ends[lane] = Math.max(ends[lane] || 0, spans.end[id]);
    (lanes[lane] ||= []).push(id);
  }
  return lanes.map((lane) => makeLane(spans, lane));
}

function idsBy(spans, keyOf) {
  const groups = new Map();
  for (let id = 0; id < spans.n; ++id) {
    const key = keyOf(id);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(id);
  }
  return groups;
}

// Steps name their app, not their task: an app's tasks share them by time.
function stepsOfTask(steps, byApp, task, length) {
  const from = task.start_s === null ? 0 : task.start_s;
  const to = task.end_s === null ? length : task.end_s;
  const ids = (byApp.get(task.app) || []).filter((id) => steps.asked[id] >= from - 1e-6 && steps.asked[id] <= to);
  return ids.length ? makeLane(steps, ids) : null;
}

function deviceOf(engine) {
  const engines = page.reproduce.scenario && page.reproduce.scenario.engines;
  const planned = Array.isArray(engines) ? engines.find((one) => one && one.name === engine) : null;
  return planned && typeof planned.device === 'string' && planned.device !== 'auto' ? planned.device : 'device';
}

function rowHeight(row) {
  const lanes = Math.max(1, row.lanes.length);
  row.bar = lanes === 1 ? 16 : lanes === 2 ? 11 : 8;
  row.strip = row.steps || (row.ticks && row.ticks.length) ? 8 : 0;
  return 9 + lanes * (row.bar + 1) + (row.strip ? row.strip + 3 : 0) + 8;
}

function taskRow(task, i, run, requests, byApp) {
  const row = {kind: 'task', task, app: task.app, label: task.name, detail: task.app === task.name ? task.type : task.app};
  row.lanes = packLanes(run.requests, requests.get(i) || []);
  row.steps = stepsOfTask(run.steps, byApp, task, run.length);
  row.ticks = run.ticks ? run.ticks[i] : null;
  return row;
}

function deviceRows(run) {
  if (page.monitor) return [];
  const engines = run.steps.groups.map((group) => deviceOf(group.engine));
  const lanes = [...idsBy(run.steps, (id) => engines[run.steps.group[id]])];
  if (!lanes.length) return [{kind: 'device', label: 'Device', detail: 'who held it', lane: null}];
  return lanes.map(([device, ids]) => ({kind: 'device', label: device === 'device' ? 'Device' : device.toUpperCase(),
                                       detail: 'who held it', lane: makeLane(run.steps, ids)}));
}

const builtRows = new Map();
function ganttRows(index) {
  if (!builtRows.has(index)) {
    const run = runData(index);
    const requests = idsBy(run.requests, (id) => run.requests.task[id]);
    const byApp = idsBy(run.steps, (id) => run.steps.groups[run.steps.group[id]].app);
    const tasks = tasksOf(index).slice(0, MOST_ROWS).map((task, i) => taskRow(task, i, run, requests, byApp));
    builtRows.set(index, [...tasks, ...deviceRows(run)]);
  }
  let top = AXIS;
  return builtRows.get(index).filter((row) => row.kind === 'device' || isShown(row.app)).map((row) => {
    row.top = top;
    row.height = row.kind === 'task' ? rowHeight(row) : 40;
    top += row.height;
    return row;
  });
}
const AXIS = 24;
