// How latencies are distributed: the share of samples at or below each value, as steps.
const PLOT = {left: 38, right: 12, top: 20, bottom: 20, height: 168};

function shareAt(curve, value) {
  let share = 0;
  for (let i = 0; i < curve.x.length && curve.x[i] <= value; ++i) share = curve.y[i];
  return share;
}

function stepPath(curve, scale, y, right) {
  let path = `M${scale.pixel(curve.x[0]).toFixed(1)} ${y(0)}`;
  curve.x.forEach((value, i) => {
    path += `H${scale.pixel(value).toFixed(1)}V${y(curve.y[i]).toFixed(1)}`;
  });
  return path + `H${right}`;
}

// Curves in the order of drawing: others first, the chosen run's last.
function curvesOf(taskName, app, label) {
  const find = (index) => {
    const at = tasksOf(index).findIndex((task) => task.name === taskName);
    const row = at < 0 ? null : (page.runs[index].rows[at] || []).find((other) => other.label === label);
    return row && row.ecdf.x.length ? row.ecdf : null;
  };
  const others = summary.runs.map((run, i) => i).filter((i) => i !== state.run).map(find).filter(Boolean)
      .map((ecdf) => ({ecdf, color: 'var(--line-strong)', width: 1.25}));
  const alone = member(member(page.alone, app), label);
  if (alone && alone.x.length) others.push({ecdf: alone, color: 'var(--muted)', width: 1.25, dash: '2 3'});
  const own = find(state.run);
  return own ? [...others, {ecdf: own, color: appColor(app), width: 2.25, own: true}] : [];
}

function grid(scale, y, width) {
  const right = width - PLOT.right, bottom = PLOT.height - PLOT.bottom;
  const lines = [0, 0.5, 0.9, 1].map((share) => [
    svg('line', {class: 'grid', x1: PLOT.left, x2: right, y1: y(share), y2: y(share)}),
    svg('text', {x: PLOT.left - 6, y: y(share) + (share === 1 ? 3 : 4), 'text-anchor': 'end'}, share * 100 + (share === 1 ? '%' : '')),
  ]);
  let last = -1e9;
  const labels = scale.ticks.map((tick) => {
    const x = scale.pixel(tick);
    if (x - last < 44 || x < PLOT.left - 1 || x > right + 1) return null;
    last = x;
    return [svg('line', {class: 'grid', x1: x, x2: x, y1: bottom, y2: bottom + 4}),
            svg('text', {x, y: PLOT.height - 4, 'text-anchor': x > right - 16 ? 'end' : 'middle'}, shortSeconds(tick))];
  });
  return [lines, labels];
}

function sloLine(target, scale, y, width) {
  const x = scale.pixel(target);
  const side = x > width - 60 ? 'end' : 'middle';
  return [svg('line', {class: 'slo', x1: x, x2: x, y1: y(1) - 5, y2: y(0)}),
          svg('text', {class: 'slo-text', x: side === 'end' ? width - 2 : x, y: 11, 'text-anchor': side}, 'SLO ' + seconds(target))];
}

function ecdfChart(task, row, width) {
  const curves = curvesOf(task.name, task.app, row.label);
  if (!curves.length) return null;
  const y = (share) => PLOT.top + (1 - share) * (PLOT.height - PLOT.top - PLOT.bottom);
  const ends = curves.flatMap(({ecdf}) => [ecdf.x[0], ecdf.x[ecdf.x.length - 1]]);
  if (row.target_s !== null) ends.push(row.target_s);
  const right = width - PLOT.right;
  const scale = valueScale(ends.filter(isNumber), PLOT.left, right);
  const own = curves[curves.length - 1].ecdf;
  const rest = row.target_s !== null ? percent(shareAt(own, row.target_s)) + ' within' : 'median ' + seconds(row.p50);
  const reading = el('span', {class: 'reading'}, rest);
  const guide = svg('line', {class: 'guide', y1: y(1), y2: y(0), visibility: 'hidden'});
  const picture = svg('svg', {viewBox: `0 0 ${width} ${PLOT.height}`, role: 'img',
      'aria-label': `distribution of ${row.label} of ${task.name}`},
    grid(scale, y, width),
    curves.map(({ecdf, color, width: w, dash}) => svg('path', {class: 'curve', d: stepPath(ecdf, scale, y, right),
      style: {stroke: color, strokeWidth: w, strokeDasharray: dash || ''}})),
    row.target_s !== null ? sloLine(row.target_s, scale, y, width) : null, guide);
  picture.addEventListener('pointermove', (event) => {
    const box = picture.getBoundingClientRect();
    const x = Math.min(right, Math.max(PLOT.left, (event.clientX - box.left) * width / box.width));
    for (const end of ['x1', 'x2']) guide.setAttribute(end, x);
    guide.setAttribute('visibility', 'visible');
    reading.textContent = `≤ ${seconds(scale.value(x))}: ${percent(shareAt(own, scale.value(x)))}`;
  });
  picture.addEventListener('pointerleave', () => {
    guide.setAttribute('visibility', 'hidden');
    reading.textContent = rest;
  });
  return el('figure', {}, el('figcaption', {}, named(task.app, task.name + ' · ' + row.label), reading), picture);
}

function ecdfs() {
  const room = document.getElementById('page').clientWidth - 48;
  const columns = Math.max(1, Math.floor((room + 26) / 296));
  const width = Math.max(230, Math.floor((room - 26 * (columns - 1)) / columns));
  const charts = tasksOf(state.run).flatMap((task, i) => isShown(task.app)
    ? (runData(state.run).rows[i] || []).filter((row) => row.target_s !== null || row.label !== 'ttft from sending')
        .map((row) => ecdfChart(task, row, width)) : []).filter(Boolean);
  return charts.length ? el('div', {class: 'small-charts'}, charts) : null;
}

function ecdfKeys() {
  const line = (color, dash, width) => svg('svg', {viewBox: '0 0 30 12'}, svg('path', {class: 'curve', d: 'M1 6H29',
    style: {stroke: color, strokeWidth: width, strokeDasharray: dash}}));
  const keys = [el('span', {}, line('var(--text)', '', 2.25), 'share of samples at or below a value, this run')];
  if (summary.runs.length > 1) keys.push(el('span', {}, line('var(--line-strong)', '', 1.5), 'the other runs'));
  if (entries(page.alone).length) keys.push(el('span', {}, line('var(--muted)', '2 3', 1.5), 'the app alone'));
  return el('div', {class: 'keys'}, keys);
}
