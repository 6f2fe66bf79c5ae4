// The timeline's canvas: axis, labels, rows, what waits for what; and what is under the pointer.
const RIGHT = 14;
const gutter = (width) => width < 560 ? 88 : 168;

function timeAxis(width) {
  const [from, to] = state.view;
  const left = gutter(width), right = width - RIGHT;
  return {from, to, left, right, x: (t) => left + (t - from) / (to - from) * (right - left),
          t: (x) => from + (x - left) / (right - left) * (to - from)};
}

function cut(ctx, text, width) {
  let shown = clean(text);
  if (ctx.measureText(shown).width <= width) return shown;
  while (shown.length > 1 && ctx.measureText(shown + '…').width > width) shown = shown.slice(0, -1);
  return shown + '…';
}

function drawAxis(ctx, axis, height, colors) {
  const step = timeStep(axis.to - axis.from, Math.max(2, (axis.right - axis.left) / 95));
  ctx.font = '11px ' + cssColor('--font');
  ctx.textAlign = 'center';
  for (const t of ticksBetween(axis.from, axis.to, step)) {
    const x = Math.round(axis.x(t));
    ctx.fillStyle = colors.line;
    ctx.fillRect(x, AXIS - 6, 1, height - AXIS + 6);
    ctx.fillStyle = colors.muted;
    const text = moment(t, step);
    const half = ctx.measureText(text).width / 2;
    ctx.fillText(text, Math.min(Math.max(x, axis.left + half - 6), axis.right + RIGHT - half), 12);
  }
  ctx.textAlign = 'left';
}

function drawLabel(ctx, row, axis, colors) {
  const font = cssColor('--font');
  const middle = row.top + row.height / 2;
  const tall = row.height >= 38;
  ctx.fillStyle = row.app ? colors.app(row.app) : colors.muted;
  if (row.kind === 'task') ctx.fillRect(0, row.top + 5, 3, row.height - 10);
  ctx.fillStyle = colors.text;
  ctx.font = '600 12.5px ' + font;
  ctx.fillText(cut(ctx, row.label, axis.left - 20), 10, middle + (tall ? -2 : 4));
  if (!tall) return;
  ctx.fillStyle = colors.muted;
  ctx.font = '11.5px ' + font;
  ctx.fillText(cut(ctx, row.detail || '', axis.left - 20), 10, middle + 13);
}

// A line from the end of each task to those that wait for it.
function drawDependencies(ctx, axis, rows, colors) {
  ctx.strokeStyle = colors.muted;
  ctx.lineWidth = 1;
  for (const row of rows) {
    if (row.kind !== 'task' || row.task.start_s === null) continue;
    for (const name of row.task.after) {
      const before = rows.find((other) => other.kind === 'task' && other.label === name);
      if (!before || before.task.end_s === null) continue;
      const x0 = axis.x(before.task.end_s), x1 = axis.x(row.task.start_s);
      const y0 = before.top + before.height / 2, y1 = row.top + 4, x = Math.round(x1) + 0.5;
      ctx.beginPath();
      ctx.moveTo(x0, y0);
      ctx.lineTo(x, y0);
      ctx.lineTo(x, y1);
      ctx.moveTo(x - 3, y1 - 4);
      ctx.lineTo(x, y1);
      ctx.lineTo(x + 3, y1 - 4);
      ctx.stroke();
    }
  }
}

function drawGantt(canvas, width) {
  const rows = ganttRows(state.run);
  const last = rows[rows.length - 1];
  const height = last ? last.top + last.height + 4 : AXIS;  // a record without tasks has none
  const density = Math.min(3, window.devicePixelRatio || 1);
  canvas.width = Math.round(width * density);
  canvas.height = Math.round(height * density);
  canvas.style.height = height + 'px';
  const ctx = canvas.getContext('2d');
  ctx.scale(density, density);
  const colors = palette(), axis = timeAxis(width), run = runData(state.run);
  drawAxis(ctx, axis, height, colors);
  for (const row of rows) {
    ctx.fillStyle = colors.line;
    ctx.fillRect(0, row.top, width, 1);
    drawLabel(ctx, row, axis, colors);
  }
  ctx.save();
  ctx.beginPath();
  ctx.rect(axis.left, AXIS, axis.right - axis.left + 1, height);
  ctx.clip();
  for (const row of rows) row.kind === 'task' ? drawTask(ctx, axis, row, run, colors) : drawDevice(ctx, axis, row, colors);
  drawDependencies(ctx, axis, rows, colors);
  if (state.moment !== null) {
    ctx.fillStyle = colors.muted;
    ctx.fillRect(Math.round(axis.x(state.moment)), AXIS - 6, 1, height);
  }
  ctx.restore();
}

// The span at time t of a lane, `reach` seconds wide at least.
function spanAt(lane, t, reach) {
  const [first, last] = visibleRange(lane, t - reach, t + reach);
  let best = -1, distance = Infinity;
  for (let i = last - 1; i >= first && i > last - 2000; --i) {
    const id = lane.ids[i];
    const away = Math.max(lane.spans.asked[id] - t, t - lane.spans.end[id], 0);
    if (away <= reach && away < distance) [best, distance] = [id, away];
  }
  return best;
}

// What is drawn at a place of the canvas: {row, kind, spans, id}, or null.
function hit(x, y, width) {
  const axis = timeAxis(width);
  const row = ganttRows(state.run).find((one) => y >= one.top && y < one.top + one.height);
  if (!row || x < axis.left || x > axis.right) return row ? {row} : null;
  const reach = (axis.to - axis.from) / (axis.right - axis.left) * 2.5;
  const found = (lane, kind) => {
    const id = lane ? spanAt(lane, axis.t(x), reach) : -1;
    return id < 0 ? {row} : {row, kind, spans: lane.spans, id};
  };
  if (row.kind === 'device') return found(row.lane, 'step');
  const below = y - row.top - 9;
  const lane = Math.floor(below / (row.bar + 1));
  if (row.steps && below >= row.lanes.length * (row.bar + 1)) return found(row.steps, 'step');
  return found(row.lanes[Math.min(Math.max(lane, 0), row.lanes.length - 1)], 'request');
}
