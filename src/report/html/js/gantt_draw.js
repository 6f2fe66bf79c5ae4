// Draws rows on a canvas. What is outside the view, or under a pixel that is drawn already, is
// not drawn.
const OUTCOME = {done: 0, met: 1, missed: 2, failed: 3, unfinished: 4};
const OUTCOME_TEXT = ['done; no SLO', 'met every SLO', 'missed an SLO', 'failed', 'not ended'];

function palette() {
  const colors = {};
  for (const name of ['text', 'muted', 'faint', 'line', 'line-strong', 'card', 'sunken', 'bad']) colors[name] = cssColor('--' + name);
  const apps = new Map(page.apps.map((app) => [app.name, cssColor(appVariable(app.name))]));
  colors.app = (name) => apps.get(name) || colors.faint;
  return colors;
}

const hatches = new Map();
function hatch(ctx, color, ground) {
  const key = color + ground;
  if (!hatches.has(key)) {
    const tile = document.createElement('canvas');
    tile.width = tile.height = 8;
    const c = tile.getContext('2d');
    c.fillStyle = ground;
    c.fillRect(0, 0, 8, 8);
    c.strokeStyle = color;
    c.lineWidth = 2.6;
    c.beginPath();
    for (const x of [-8, 0, 8]) { c.moveTo(x, 8); c.lineTo(x + 8, 0); }
    c.stroke();
    hatches.set(key, ctx.createPattern(tile, 'repeat'));
  }
  return hatches.get(key);
}

// Calls visit(id, x0, x1) for what can be seen of a lane; `wanted` picks among its spans. One is
// hidden only by those of its own kind.
function eachVisible(lane, axis, wanted, visit, kindOf = () => 0) {
  const [first, last] = visibleRange(lane, axis.from, axis.to);
  const covered = new Map();
  for (let i = first; i < last; ++i) {
    const id = lane.ids[i];
    if (!wanted(id)) continue;
    const x0 = Math.max(axis.left - 2, axis.x(lane.spans.asked[id]));
    const x1 = Math.max(x0 + 1, Math.min(axis.right + 2, axis.x(lane.spans.end[id])));
    const kind = kindOf(id);
    if (x1 <= (covered.get(kind) ?? -Infinity) + 0.3) continue;
    covered.set(kind, x1);
    visit(id, x0, x1);
  }
}

function drawRequest(ctx, axis, spans, id, x0, x1, y, height, color, colors) {
  const outcome = spans.outcome[id];
  const begin = Math.min(x1, Math.max(x0, axis.x(spans.begin[id])));
  if (begin - x0 > 1) {  // waited for its turn
    ctx.fillStyle = color;
    ctx.globalAlpha = 0.55;
    ctx.fillRect(x0, y + height / 2 - 1, begin - x0, 2);
    ctx.globalAlpha = 1;
  }
  const width = Math.max(1, x1 - begin - (x1 - begin > 4 ? 1 : 0));
  if (outcome === OUTCOME.failed || outcome === OUTCOME.unfinished) {
    ctx.fillStyle = colors.bad;
    ctx.fillRect(begin, y, width, height);
    ctx.fillStyle = colors.card;
    if (width > 4) ctx.fillRect(begin + 1.5, y + 1.5, width - 3, height - 3);
    return;
  }
  ctx.fillStyle = outcome === OUTCOME.missed ? hatch(ctx, color, colors.card) : color;
  const first = spans.first[id] > 0 ? axis.x(spans.begin[id] + spans.first[id]) : begin;
  if (first - begin > 1.5) {  // until its first output
    ctx.globalAlpha = 0.5;
    ctx.fillRect(begin, y, Math.min(first, x1) - begin, height);
    ctx.globalAlpha = 1;
    ctx.fillRect(first, y, Math.max(0, begin + width - first), height);
  } else {
    ctx.fillRect(begin, y, width, height);
  }
  if (outcome === OUTCOME.missed && width > 3) {
    ctx.strokeStyle = color;
    ctx.lineWidth = 1;
    ctx.strokeRect(begin + 0.5, y + 0.5, width - 1, height - 1);
  }
}

// Steps of two apps that had the device at once share the height.
function drawSteps(ctx, axis, lane, y, height, colors, waits) {
  const {spans} = lane;
  let holder = null, until = -Infinity;
  const appOf = (id) => spans.groups[spans.group[id]].app;
  eachVisible(lane, axis, (id) => !waits || isShown(appOf(id)), (id, x0, x1) => {
    const begin = waits ? Math.max(x0, axis.x(spans.begin[id])) : Math.max(axis.left - 2, axis.x(spans.begin[id]));
    ctx.fillStyle = colors.app(appOf(id));
    if (waits && begin - x0 > 1) {
      ctx.globalAlpha = 0.4;
      ctx.fillRect(x0, y + height - 2, begin - x0, 2);
    }
    ctx.globalAlpha = isShown(appOf(id)) ? 1 : 0.15;
    const width = x1 - begin;
    const shares = holder !== null && holder !== appOf(id) && begin < until - 1;
    ctx.fillRect(begin, y, Math.max(1, width - (width > 5 ? 1 : 0)), shares ? height * 0.55 : height);
    ctx.globalAlpha = 1;
    if (x1 > until) [holder, until] = [appOf(id), x1];
  }, appOf);
}

function drawTicks(ctx, axis, ticks, y, height, color) {
  ctx.fillStyle = color;
  let covered = -Infinity;
  const last = firstWhere(ticks.length, (i) => ticks[i] > axis.to);
  for (let i = firstWhere(ticks.length, (j) => ticks[j] >= axis.from); i < last; ++i) {
    const x = Math.round(axis.x(ticks[i]));
    if (x <= covered) continue;
    covered = x;
    ctx.fillRect(x, y, 1, height);
  }
}

function drawTask(ctx, axis, row, run, colors) {
  const color = colors.app(row.app);
  const {task} = row;
  if (task.start_s !== null) {
    const x0 = Math.max(axis.left, axis.x(task.start_s));
    const x1 = Math.min(axis.right, axis.x(task.end_s === null ? run.length : task.end_s));
    ctx.globalAlpha = 0.11;
    ctx.fillStyle = color;
    if (x1 > x0) ctx.fillRect(x0, row.top + 4, x1 - x0, row.height - 8);
    ctx.globalAlpha = 1;
  }
  let y = row.top + 9;
  for (const lane of row.lanes) {
    const {spans} = lane;
    const draw = (id, x0, x1) => drawRequest(ctx, axis, spans, id, x0, x1, y, row.bar, color, colors);
    eachVisible(lane, axis, () => true, draw);
    eachVisible(lane, axis, (id) => spans.outcome[id] >= OUTCOME.missed, draw);  // never hidden
    y += row.bar + 1;
  }
  y += 2;
  if (row.steps) drawSteps(ctx, axis, row.steps, y, row.strip, colors, true);
  else if (row.strip) drawTicks(ctx, axis, row.ticks, y + 1, row.strip - 2, color);
}

function drawDevice(ctx, axis, row, colors) {
  const y = row.top + 9, height = row.height - 18;
  ctx.fillStyle = colors.sunken;
  ctx.fillRect(axis.left, y, axis.right - axis.left, height);
  if (row.lane) return drawSteps(ctx, axis, row.lane, y, height, colors, false);
  ctx.fillStyle = colors.muted;
  ctx.font = '12px ' + cssColor('--font');
  const text = axis.right - axis.left > 420 ? 'not recorded: only strategies with a gate know who held the device' : 'not recorded: no gate';
  ctx.fillText(text, axis.left + 10, y + height / 2 + 4);
}
