// Puts the page together, once.
function tilesRow() {
  const numbers = el('div', {class: 'tiles'});
  const which = el('p', {class: 'paper'});  // paper has no bar
  const show = () => {
    numbers.replaceChildren(...tiles());
    which.textContent = clean(`Run: ${runTitle(state.run)}` + (summary.runs.length > 1 ? `, one of ${summary.runs.length}` : ''));
  };
  listen('run', show);
  return {row: el('div', {}, which, numbers), show};
}

function onResize(call) {
  let width = window.innerWidth, asked = 0;
  window.addEventListener('resize', () => {
    if (window.innerWidth === width) return;  // a phone's bar that hides is no new width
    width = window.innerWidth;
    cancelAnimationFrame(asked);
    asked = requestAnimationFrame(call);
  });
}

function build() {
  const root = document.getElementById('page');
  document.title = clean(summary.scenario) + ' · ConsumerBench';
  root.append(header());
  if (!summary.runs.length) {
    root.append(...deviceCards(), doubtsCard(), reproduceCard());
    return;
  }
  state.view = [0, runData(0).length];
  if (page.monitor) return buildMonitor(root);
  const row = tilesRow(), slo = sloCard(), strategies = strategiesCard(), timeline = timelineCard(), energy = energyCard(), memory = memoryCard();
  root.append(bar(), row.row, slo.section);
  if (strategies) root.append(strategies.section);
  root.append(timeline.section, el('div', {class: 'columns'}, energy.section, memory.section), ...deviceCards(), doubtsCard(), reproduceCard(),
              el('p', {class: 'foot'}, `ConsumerBench ${summary.cbench_version} · ${page.schema}`));
  start([row, slo, strategies, timeline, energy, memory].filter(Boolean), [slo, timeline]);
}

// `charts` depend on the width.
function start(parts, charts) {
  document.body.append(tip);
  parts.forEach((part) => part.show());
  const again = () => charts.forEach((part) => part.show());
  onResize(again);
  // Charts were measured for the screen; paper is narrower.
  for (const event of ['beforeprint', 'afterprint']) window.addEventListener(event, again);
}

// Of a record of cbench monitor: counters, and nothing to judge.
function buildMonitor(root) {
  const row = tilesRow(), timeline = timelineCard(), energy = energyCard(), memory = memoryCard();
  root.append(bar(), row.row, timeline.section, el('div', {class: 'columns'}, energy.section, memory.section),
              deviceCards()[0], reproduceCard(), el('p', {class: 'foot'}, `ConsumerBench ${summary.cbench_version} · ${page.schema}`));
  start([row, timeline, energy, memory], [timeline]);
}

build();
