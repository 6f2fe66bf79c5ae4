// The timeline: the canvas over the monitor's curves, on one time axis, and how to move in it.
const tip = el('div', {class: 'tip', role: 'status'});

function requestLines(spans, id, row) {
  const many = spans.count[id] > 1;
  const text = spans.text[id] >= 0 ? spans.texts[spans.text[id]] : null;
  return [
    [many ? `${spans.count[id]} requests, drawn as one` : 'request', OUTCOME_TEXT[spans.outcome[id]]],
    ['issued', place(spans.asked[id])],
    spans.begin[id] > spans.asked[id] ? ['sent after', seconds(spans.begin[id] - spans.asked[id])] : null,
    spans.first[id] >= 0 && row.task.type !== 'image_gen' && !many ? ['first output after', seconds(spans.first[id])] : null,
    ['took', seconds(spans.end[id] - spans.begin[id])],
    spans.size[id] > 0 ? ['tokens', whole(spans.size[id])] : null,
    text ? ['failure', text] : null,
  ];
}

function stepLines(spans, id) {
  const group = spans.groups[spans.group[id]];
  const many = spans.count[id] > 1;
  const held = many ? spans.busy[id] : spans.end[id] - spans.begin[id];
  return [
    [many ? `${spans.count[id]} steps, drawn as one` : 'step', group.kind + ' on ' + group.engine],
    ['at', place(spans.begin[id])],
    !many && spans.begin[id] > spans.asked[id] ? ['waited for the device', seconds(spans.begin[id] - spans.asked[id])] : null,
    ['held it for', seconds(held)],
    spans.predicted[id] > 0 ? ['predicted', seconds(spans.predicted[id])] : null,
    spans.size[id] > 0 ? ['size', whole(spans.size[id])] : null,
    group.lane ? ['kernel lane', group.lane] : null,
  ];
}

function taskLines(task) {
  return [['task', task.state], task.start_s === null ? null : ['from', place(task.start_s)],
          task.end_s === null ? null : ['took', seconds(task.end_s - task.start_s)],
          ['requests', `${task.completed} of ${Math.max(task.planned, task.issued)} done`],
          task.after.length ? ['after', task.after.join(', ')] : null];
}

function showTip(event, found) {
  if (!found || (found.row.kind === 'device' && !found.kind)) return hideTip();
  const {row, kind, spans, id} = found;
  const app = kind === 'step' ? spans.groups[spans.group[id]].app : row.app;
  const lines = kind === 'request' ? requestLines(spans, id, row) : kind === 'step' ? stepLines(spans, id) : taskLines(row.task);
  tip.replaceChildren(el('b', {}, dot(app), row.kind === 'task' ? row.label : app),
    ...lines.filter(Boolean).map(([name, value]) => el('div', {class: 'row'}, el('span', {}, name), el('span', {}, value))));
  tip.style.display = 'block';
  const room = tip.getBoundingClientRect();
  const left = event.clientX + 16 + room.width > window.innerWidth ? event.clientX - room.width - 12 : event.clientX + 16;
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = Math.max(8, Math.min(event.clientY + 14, window.innerHeight - room.height - 8)) + 'px';
}
const hideTip = () => { tip.style.display = 'none'; };

// Drag to zoom, double click to see all, keys for those without a mouse.
function makeInteractive(canvas, lens, width) {
  let dragFrom = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const inside = (x) => Math.min(Math.max(x, gutter(width())), width() - RIGHT);
  canvas.addEventListener('pointerdown', (event) => {
    const [x] = place(event);
    if (event.button !== 0 || x < gutter(width())) return;
    dragFrom = x;
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    const [x, y] = place(event);
    setMoment(timeAxis(width()).t(inside(x)), canvas);
    if (dragFrom === null) return showTip(event, hit(x, y, width()));
    hideTip();
    const [a, b] = [dragFrom, inside(x)].sort((p, q) => p - q);
    Object.assign(lens.style, {display: b - a > 3 ? 'block' : 'none', left: a + 'px', width: b - a + 'px'});
  });
  const release = (event) => {
    if (dragFrom === null) return;
    const [a, b] = [dragFrom, inside(place(event)[0])].sort((p, q) => p - q);
    const axis = timeAxis(width());
    dragFrom = null;
    lens.style.display = 'none';
    if (event.type === 'pointerup' && b - a > 3) setView(axis.t(a), axis.t(b));
  };
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => { hideTip(); setMoment(null, canvas); });
  canvas.addEventListener('dblclick', resetView);
  const middle = () => (state.view[0] + state.view[1]) / 2;
  const keys = {ArrowLeft: () => panBy(-0.2), ArrowRight: () => panBy(0.2), '+': () => zoomAt(middle(), 0.5),
                '-': () => zoomAt(middle(), 2), 0: resetView};
  canvas.addEventListener('keydown', (event) => {
    if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.metaKey) return;
    keys[event.key]();
    event.preventDefault();
  });
}

function tools() {
  const middle = () => (state.view[0] + state.view[1]) / 2;
  const button = (text, title, onclick) => el('button', {type: 'button', title, 'aria-label': title, onclick}, text);
  const shown = el('span', {id: 'view'});
  const show = () => { shown.textContent = `${place(state.view[0])} to ${place(state.view[1])}`; };
  listen('view', show);
  listen('run', show);
  show();
  return el('div', {class: 'tools'}, el('span', {}, 'Drag to zoom, double click to see all'), shown,
    el('div', {class: 'end'}, button('+', 'zoom in', () => zoomAt(middle(), 0.5)), button('−', 'zoom out', () => zoomAt(middle(), 2)),
       button('‹', 'earlier', () => panBy(-0.5)), button('›', 'later', () => panBy(0.5)), button('Reset', 'see all', resetView)));
}

function sample(draw) {
  const canvas = el('canvas', {width: 60, height: 24});
  const show = () => {
    const ctx = canvas.getContext('2d');
    ctx.setTransform(2, 0, 0, 2, 0, 0);
    ctx.clearRect(0, 0, 30, 12);
    draw(ctx, palette());
  };
  show();
  listen('theme', show);
  return canvas;
}

function ganttKeys() {
  const color = (colors) => colors.app(page.apps.length ? page.apps[0].name : '');
  const bar = (outcome, first) => (ctx, colors) => drawRequest(ctx, {x: (t) => t * 30},
    {outcome: [outcome], asked: [0], begin: [0], first: [first], end: [1]}, 0, 0, 30, 0, 12, color(colors), colors);
  const key = (draw, text) => el('span', {}, sample(draw), text);
  return el('div', {class: 'keys'}, key(bar(OUTCOME.met, 0.4), 'request: until its first output, then until its end'),
    key(bar(OUTCOME.missed, -1), 'missed an SLO'), key(bar(OUTCOME.failed, -1), 'failed'),
    key((ctx, colors) => { ctx.fillStyle = color(colors); for (let x = 1; x < 30; x += 4) ctx.fillRect(x, 2, 1, 8); },
        'below it: steps, or when tokens and denoising steps came'));
}

// What was drawn as fewer spans than there were.
function thinnedNote(run) {
  const say = (what, {total, gap, dropped}) => !gap ? null
    : `${whole(total)} ${what}: those less than ${seconds(gap * MICRO)} apart are drawn as one` + (dropped ? `, and ${whole(dropped)} are left out` : '') + '. ';
  const more = tasksOf(state.run).length - MOST_ROWS;
  const text = [more > 0 ? `${whole(more)} more tasks are not drawn. ` : null, say('requests', run.requests.thinned), say('steps', run.steps.thinned)].filter(Boolean).join('');
  return text ? el('p', {class: 'note', id: 'thinned'}, text) : null;
}

function timelineCard() {
  const canvas = el('canvas', {class: 'gantt', id: 'gantt', tabindex: 0, role: 'img', 'aria-label': 'timeline of tasks, requests and steps'});
  const lens = el('div', {class: 'lens'}), note = el('div', {}), stage = el('div', {class: 'time'}, canvas, lens);
  const curves = curvesPanel();
  const lead = page.monitor ? 'What the device’s counters said.'
      : 'Tasks in the order of the workflow, with every request; below, who held the device and what its counters said.';
  const section = card('timeline', 'What happened when', lead, tools(), stage, page.monitor ? null : ganttKeys(), note, curves.panel);
  const width = () => stage.clientWidth;
  let asked = false;
  const draw = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; drawGantt(canvas, width()); });
  };
  const show = () => {
    note.replaceChildren(...[thinnedNote(runData(state.run))].filter(Boolean));
    drawGantt(canvas, width());
    curves.show();
  };
  makeInteractive(canvas, lens, width);
  for (const what of ['apps', 'view', 'moment']) listen(what, draw);
  listen('run', show);
  listen('theme', show);
  return {section, show};
}
