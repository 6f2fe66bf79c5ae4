// Energy, and memory against what there is.
function energyRows(index) {
  const run = runData(index);
  return run.curves.filter((curve) => curve.unit === 'J' && isNumber(curve.energy)).map((curve) => ({
    name: curve.name.replace(/\.energy$/, ''), joules: curve.energy, watts: curve.energy / run.length}));
}

const curveOf = (index, probe, name) => runData(index).curves.find((curve) => curve.probe === probe && curve.name === name);

// Limited by the control group, where there is a limit below the machine's memory.
function memoryBudget(index) {
  const total = summary.device && summary.device.memory_bytes;
  const limit = curveOf(index, 'cgroup', 'memory_limit');
  const budgets = [total, limit && limit.min].filter(isNumber);
  return budgets.length ? Math.min(...budgets) : null;
}

function memoryPeak(index) {
  const available = curveOf(index, 'memory', 'available');
  const total = summary.device && summary.device.memory_bytes;
  if (!available || !isNumber(available.min) || !isNumber(total)) return null;
  return {used: Math.max(0, total - available.min), total};
}

function meter(share, color) {
  return el('div', {class: 'meter'}, el('span', {style: {width: Math.min(100, share * 100).toFixed(1) + '%', background: color}}));
}

function memoryTable(index) {
  const budget = memoryBudget(index);
  const peak = memoryPeak(index);
  const curves = runData(index).curves;
  const own = curves.filter((curve) => curve.probe === 'footprint' && curve.name.endsWith('.pss'));
  const resident = own.length ? own : curves.filter((curve) => curve.probe === 'process' && curve.name.endsWith('.rss'));
  const rows = resident.map((curve, i) => ({name: curve.name.replace(/\.(pss|rss)$/, ''), value: curve.max, color: `var(${curveVariable(curve, i)})`}));
  rows.sort((a, b) => b.value - a.value);
  if (peak) rows.push({name: 'whole machine', value: peak.used, color: 'var(--curve-1)', strong: true});
  for (const curve of curves.filter((one) => /^(gpu|card)\d+\.memory$/.test(one.name)))
    rows.push({name: curve.name.replace('.', ' '), value: curve.max, color: 'var(--curve-3)', foreign: true});
  if (!rows.length) return el('p', {class: 'note'}, absent(probeReason('memory', 'footprint', 'process')));
  return el('div', {class: 'scroll'}, el('table', {}, el('tbody', {}, rows.map((row) => el('tr', {},
    el('th', {class: 'first', scope: 'row'}, row.name), el('td', {class: 'num'}, bytes(row.value)),
    el('td', {style: {width: '50%'}}, budget && !row.foreign ? meter(row.value / budget, row.color) : null),
    el('td', {class: 'num sub'}, budget && !row.foreign ? percent(row.value / budget) : ''))))));
}

function memoryCard() {
  const box = el('div', {});
  const section = card('memory', 'Memory against the budget', null, box);
  const show = () => {
    const budget = memoryBudget(state.run);
    const swap = curveOf(state.run, 'memory', 'swap_used');
    const text = (budget ? `The most each process had, of ${bytes(budget)}. Shared pages are divided among those who share them. ` : '') +
      (swap && isNumber(swap.max) ? `Swap in use at most: ${bytes(swap.max)}.` : '');
    box.replaceChildren(...[text ? el('p', {class: 'note'}, text) : null, memoryTable(state.run)].filter(Boolean));
  };
  listen('run', show);
  return {section, show};
}

function energyCard() {
  const box = el('div', {});
  const section = card('energy', 'Energy', null, box);
  const show = () => {
    const rows = energyRows(state.run);
    const done = tasksOf(state.run).reduce((sum, task) => sum + task.completed, 0);
    if (!rows.length) return box.replaceChildren(el('p', {class: 'note'}, absent(probeReason('rapl', 'nvidia', 'amd', 'battery'))));
    const heads = ['counter', 'energy', 'mean power', 'per request'];
    box.replaceChildren(el('p', {class: 'note'}, 'Of everything that ran on the device, not of the apps alone.'),
      el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, heads.map((head, i) => el('th', {class: i ? 'num' : 'first'}, head)))),
        el('tbody', {}, rows.map((row) => el('tr', {}, el('th', {class: 'first', scope: 'row'}, row.name), el('td', {class: 'num'}, decimal(row.joules, 'J')),
          el('td', {class: 'num'}, decimal(row.watts, 'W')), el('td', {class: 'num'}, done ? decimal(row.joules / done, 'J') : NONE)))))));
  };
  listen('run', show);
  return {section, show};
}
