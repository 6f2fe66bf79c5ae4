// Who met what: a row a task and metric, attainment as a bar with its 95 % interval.
function attainment(app, share, interval) {
  if (!isNumber(share)) return el('span', {class: 'absent'}, 'no request issued');
  const [low, high] = interval || [share, share];
  const at = (value) => (value * 100).toFixed(2) + '%';
  const text = interval ? `95 % interval ${percent(low)} to ${percent(high)}` : '';
  return el('div', {class: 'attain', title: text},
    el('div', {class: 'track'},
      el('div', {class: 'fill', style: {width: at(share), background: appColor(app)}}),
      interval ? el('div', {class: 'whisker', style: {left: at(low), width: at(high - low)}}) : null),
    el('span', {class: share < 1 ? 'value miss' : 'value'}, percent(share)));
}

function taskCell(task, rows) {
  const about = [task.app !== task.name ? task.app : null, task.type, task.class].filter(Boolean).join(' · ');
  const state = task.state === 'finished' ? null : el('div', {class: 'miss'}, task.state);
  return el('th', {class: 'first', scope: 'row', rowspan: rows}, named(task.app, task.name),
            el('div', {class: 'sub'}, about), state);
}

function doneCell(task, rows) {
  const failures = entries(task.failures).map(([kind, count]) => count + ' ' + kind).join(', ');
  const of = Math.max(task.planned, task.issued);
  return el('td', {class: 'num', rowspan: rows}, task.completed + '/' + of,
            failures ? el('div', {class: 'miss sub'}, failures) : null);
}

function metricCells(task, row) {
  if (!row) return [el('td', {colspan: 6, class: 'absent'}, 'nothing was measured')];
  const has = row.target_s !== null;
  const missed = has && row.met < task.issued;
  return [
    el('td', {}, row.label),
    el('td', {class: 'num'}, has ? '≤ ' + seconds(row.target_s) : ''),
    ...[row.p50, row.p95, row.p99].map((value) => el('td', {
      class: has && isNumber(value) && value > row.target_s ? 'num miss' : 'num',
      title: value === null ? `needs more than ${row.samples} samples` : null}, seconds(value))),
    el('td', {class: missed ? 'num miss' : 'num'}, has ? row.met + '/' + task.issued : ''),
  ];
}

function taskRows(task, rows) {
  const lines = rows.length ? rows : [null];
  return lines.map((row, i) => el('tr', {class: i ? 'cont' : null},
    i ? null : taskCell(task, lines.length), i ? null : doneCell(task, lines.length),
    metricCells(task, row),
    i ? null : el('td', {rowspan: lines.length}, entries(task.slo).length
      ? attainment(task.app, task.attainment, task.attainment_ci95) : el('span', {class: 'absent'}, 'no SLO'))));
}

function sloTable() {
  const rows = runData(state.run).rows;
  const heads = [['task', 'first'], ['done', 'num'], ['metric', ''], ['target', 'num'], ['p50', 'num'],
                 ['p95', 'num'], ['p99', 'num'], ['met', 'num'], ['attainment, 95 % interval', '']];
  return el('div', {class: 'scroll'}, el('table', {},
    el('thead', {}, el('tr', {}, heads.map(([text, kind]) => el('th', {class: kind, scope: 'col'}, text)))),
    tasksOf(state.run).map((task, i) => isShown(task.app) ? el('tbody', {}, taskRows(task, rows[i] || [])) : null)));
}

function sloCard() {
  const box = el('div', {});
  const section = card('slo', 'Did each app do what its user expects?',
    'Attainment is the share of issued requests that met all their SLOs; one that failed or never came back is a miss. Percentiles of too few samples are withheld (—).', box);
  const show = () => {
    const run = summary.runs[state.run];
    const reasons = summary.runs.length > 1 && run.verdict.reasons.length
      ? el('ul', {class: 'reasons'}, run.verdict.reasons.map((reason) => el('li', {}, reason))) : [];
    box.replaceChildren(...[reasons, sloTable(), ecdfs(), ecdfKeys()].flat().filter(Boolean));
  };
  listen('run', show);
  listen('apps', show);
  return {section, show};
}
