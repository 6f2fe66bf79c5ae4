// What the reader chose: one run, the apps to show, a part of the time, a moment under the
// pointer. Parts of the page listen; nobody else keeps a copy.
const state = {run: 0, hidden: new Set(), view: [0, 1], moment: null};
const listeners = {run: [], apps: [], view: [], moment: [], theme: []};

const listen = (what, call) => listeners[what].push(call);
const announce = (what, detail) => listeners[what].forEach((call) => call(detail));

function chooseRun(index) {
  state.run = index;
  state.view = [0, runData(index).length];
  state.moment = null;
  announce('run');
}

function toggleApp(name) {
  if (!state.hidden.delete(name)) state.hidden.add(name);
  announce('apps');
}

const isShown = (app) => !state.hidden.has(app);

// Never outside the run, never finer than the data.
function setView(from, to) {
  const length = runData(state.run).length;
  const least = Math.min(length, 50e-6);
  const width = Math.min(length, Math.max(least, to - from));
  const start = Math.min(Math.max(0, from), length - width);
  if (start === state.view[0] && start + width === state.view[1]) return;
  state.view = [start, start + width];
  announce('view');
}

const resetView = () => setView(0, runData(state.run).length);

function zoomAt(t, factor) {
  const [from, to] = state.view;
  setView(t - (t - from) * factor, t + (to - t) * factor);
}

function panBy(share) {
  const [from, to] = state.view;
  setView(from + (to - from) * share, to + (to - from) * share);
}

// `source` is the chart under the pointer; t null: the pointer left.
function setMoment(t, source) {
  if (t === state.moment) return;
  state.moment = t;
  announce('moment', source);
}
