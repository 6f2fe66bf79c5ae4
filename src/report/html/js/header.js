// The top: verdict, headline, the bar with run and apps, and a few numbers of the chosen run.
function verdictPill(verdict) {
  const valid = verdict.status === 'VALID';
  return el('span', {class: 'pill ' + (valid ? 'good' : 'bad')}, valid ? '✓ VALID' : '✕ INVALID');
}

// Each once, with the runs that it is about.
function allDoubts() {
  const runs = new Map(summary.doubts.map((text) => [text, []]));
  summary.runs.forEach((run, i) => run.doubts.forEach((text) => {
    if (!runs.has(text)) runs.set(text, []);
    runs.get(text).push(runTitle(i));
  }));
  return [...runs].map(([text, titles]) => ({
    where: titles.length === summary.runs.length && titles.length > 1 ? 'all runs' : titles.join(', '), text}));
}

function header() {
  const doubts = page.monitor ? 0 : allDoubts().length;
  const device = summary.device || {};
  return el('header', {class: 'head'},
    el('div', {class: 'head-line'}, page.monitor ? null : verdictPill(summary.verdict), el('h1', {}, summary.scenario),
       doubts ? el('a', {class: 'pill warn', href: '#doubts'}, doubts + (doubts > 1 ? ' doubts' : ' doubt')) : null),
    el('p', {class: 'headline'}, page.headline),
    !page.monitor && summary.verdict.reasons.length
        ? el('ul', {class: 'reasons'}, summary.verdict.reasons.map((reason) => el('li', {}, reason))) : null,
    el('div', {class: 'facts-line'}, [
      summary.started_utc, device.cpu, device.cores && device.cores + ' cores',
      isNumber(device.memory_bytes) && bytes(device.memory_bytes),
      'cbench ' + summary.cbench_version, ...summary.notes.filter((note) => note.startsWith('synthetic')),
    ].filter(Boolean).map((text) => el('span', {}, text))));
}

const MOST_BUTTONS = 7;
function runSelector() {
  if (summary.runs.length < 2) return null;
  if (summary.runs.length > MOST_BUTTONS) {
    const select = el('select', {id: 'runs', 'aria-label': 'run', onchange: () => chooseRun(Number(select.value))},
      summary.runs.map((run, i) => el('option', {value: i}, runTitle(i))));
    listen('run', () => { select.value = state.run; });
    return el('div', {class: 'group'}, el('span', {class: 'label'}, 'Run'), select);
  }
  const buttons = summary.runs.map((run, i) => el('button', {type: 'button', onclick: () => chooseRun(i)}, runTitle(i)));
  const show = () => buttons.forEach((button, i) => button.setAttribute('aria-pressed', i === state.run));
  listen('run', show);
  show();
  return el('div', {class: 'group'}, el('span', {class: 'label'}, 'Run'),
            el('div', {class: 'segments', id: 'runs'}, buttons));
}

function appFilter() {
  if (!page.apps.length) return null;
  const chips = page.apps.map((app) => {
    const chip = el('button', {type: 'button', class: 'chip', title: 'show or hide ' + app.name,
                               onclick: () => toggleApp(app.name)}, dot(app.name), app.name);
    const show = () => chip.setAttribute('aria-pressed', isShown(app.name));
    listen('apps', show);
    show();
    return chip;
  });
  return el('div', {class: 'group', id: 'apps'}, el('span', {class: 'label'}, 'Apps'), chips);
}

function bar() {
  return el('nav', {class: 'bar', 'aria-label': 'what is shown'}, runSelector(), appFilter(),
    el('button', {type: 'button', class: 'end', id: 'theme', title: 'light or dark', onclick: toggleTheme}, '◐ Theme'));
}

function tile(label, value, more) {
  const known = value !== null && value !== NONE;
  return el('div', {class: 'tile'}, el('div', {class: 'label'}, label),
    el('div', {class: known ? 'value' : 'value absent'}, known ? value : 'not measured'),
    el('div', {class: 'more', title: more}, more));
}

function monitorTiles() {
  const busy = curveOf(state.run, 'cpu', 'busy');
  return [
    tile('Recorded', seconds(runData(state.run).length), summary.started_utc),
    tile('CPU busy', busy && isNumber(busy.mean) ? percent(busy.mean) : null,
         busy && isNumber(busy.max) ? 'mean of all cores; ' + percent(busy.max) + ' at most' : probeReason('cpu')),
    ...resourceTiles(),
  ];
}

function resourceTiles() {
  const energy = energyRows(state.run);
  const memory = memoryPeak(state.run);
  return [
    tile('Memory at most', memory ? bytes(memory.used) : null, memory ? 'of ' + bytes(memory.total) : probeReason('memory')),
    tile('Energy', energy.length ? decimal(energy[0].joules, 'J') : null, energy.length ? energy[0].name : probeReason('rapl', 'nvidia')),
  ];
}

function tiles() {
  if (page.monitor) return monitorTiles();
  const run = summary.runs[state.run];
  const judged = tasksOf(state.run).filter((task) => isNumber(task.met));
  const issued = judged.reduce((sum, task) => sum + task.issued, 0);
  const met = judged.reduce((sum, task) => sum + task.met, 0);
  const busy = entries(run.device.busy);
  return [
    tile('Makespan', seconds(run.makespan_s), run.makespan_s === null ? 'the run did not end (' + run.status + ')' : 'first task start to last task end'),
    judged.length ? tile('SLO attainment', percent(issued ? met / issued : null), issued ? whole(met) + ' of ' + whole(issued) + ' requests' : 'no request was issued')
                  : tile('SLO attainment', null, 'no task has an SLO'),
    tile('Fairness', ratio(run.fairness.attainment), run.fairness.attainment === null ? 'needs two apps with SLOs' : 'Jain’s index of attainment'),
    tile('Device busy', busy.length ? busy.map(([, share]) => percent(share)).join(' · ') : null,
         busy.length ? busy.map(([name]) => name).join(' · ') + ', from ' + run.device.source : 'neither steps nor samples'),
    ...resourceTiles(),
  ];
}
