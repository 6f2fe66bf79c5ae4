// Strategies beside each other: repetitions together.
function rangeText(value, format) {
  if (value.median === null) return NONE;
  const several = value.low !== value.high;
  return format(value.median) + (several ? ` (${format(value.low)} to ${format(value.high)})` : '');
}

function makespanCell(strategy, longest, best) {
  const value = strategy.makespan_s.median;
  if (value === null) return el('td', {}, absent('no repetition ended'));
  return el('td', {}, el('div', {class: 'attain'},
    el('div', {class: 'meter'}, el('span', {style: {width: (value / longest * 100).toFixed(1) + '%', background: 'var(--curve-1)'}})),
    el('span', {class: value === best ? 'value best' : 'value'}, rangeText(strategy.makespan_s, seconds))));
}

function appCell(strategy, app) {
  const share = member(strategy.apps, app.name);
  if (!share) return el('td', {}, NONE);
  const detail = `${share.primary || 'latency'} p50 ${seconds(share.latency.p50)}`;
  const slow = share.slowdown && isNumber(share.slowdown.p50) ? ` · ×${ratio(share.slowdown.p50)} alone` : '';
  return el('td', {}, share.attainment === null ? el('span', {class: 'absent'}, 'no SLO')
            : attainment(app.name, share.attainment, share.attainment_ci95),
            el('div', {class: 'sub'}, detail + slow));
}

function gateTable() {
  const rows = summary.strategies.filter((strategy) => strategy.gate);
  if (!rows.length) return null;
  const heads = ['strategy', 'steps', 'wait p50', 'wait p99', 'held p50', 'held p99', 'longest', 'prediction off by'];
  return [summary.strategies.length > 1 ? el('h3', {}, 'The gate: how long steps waited for the device, and had it') : null,
    el('div', {class: 'scroll'}, el('table', {}, el('thead', {}, el('tr', {}, heads.map((head, i) => el('th', {class: i ? 'num' : 'first'}, head)))),
      el('tbody', {}, rows.map(({strategy, gate}) => el('tr', {}, el('th', {class: 'first', scope: 'row'}, strategy),
        [whole(gate.holds), seconds(gate.wait.p50), seconds(gate.wait.p99), seconds(gate.hold.p50), seconds(gate.hold.p99),
         seconds(gate.hold.max), percent(gate.prediction_error)].map((text) => el('td', {class: 'num'}, text)))))))];
}

function strategiesTable() {
  const apps = page.apps.filter((app) => isShown(app.name));
  const spans = summary.strategies.map((strategy) => strategy.makespan_s.median).filter(isNumber);
  const longest = Math.max(...spans, 1e-9), best = Math.min(...spans);
  const busy = (strategy) => entries(strategy.device.busy).map(([, share]) => percent(share.median)).join(' · ') || NONE;
  return el('div', {class: 'scroll'}, el('table', {class: 'tight'},
    el('thead', {}, el('tr', {}, el('th', {class: 'first'}, 'strategy'), el('th', {}, 'makespan'),
      apps.map((app) => el('th', {}, named(app.name, app.name))), el('th', {class: 'num'}, 'fairness'),
      el('th', {class: 'num'}, 'busy'), el('th', {class: 'num'}, 'valid'))),
    el('tbody', {}, summary.strategies.map((strategy) => el('tr', {}, el('th', {class: 'first', scope: 'row'}, strategy.strategy,
        isNumber(strategy.makespan_to_greedy) && strategy.strategy !== 'greedy' ? el('div', {class: 'sub'}, '×' + ratio(strategy.makespan_to_greedy) + ' of greedy') : null),
      makespanCell(strategy, longest, best), apps.map((app) => appCell(strategy, app)),
      el('td', {class: 'num'}, ratio(strategy.fairness.attainment.median)), el('td', {class: 'num'}, busy(strategy)),
      el('td', {class: strategy.valid_runs < strategy.runs ? 'num miss' : 'num'}, strategy.valid_runs + '/' + strategy.runs))))));
}

function strategiesCard() {
  if (summary.strategies.length < 2 && !summary.strategies.some((strategy) => strategy.gate)) return null;
  const box = el('div', {});
  const several = summary.strategies.length > 1;
  const section = card('strategies', several ? 'Strategies' : 'The gate',
    several ? 'Who gets the device when, beside each other. Medians over repetitions, with their range; requests of all repetitions together.' : 'How long steps waited for the device, and had it.', box);
  const show = () => box.replaceChildren(...[several ? strategiesTable() : null, gateTable()].flat().filter(Boolean));
  listen('apps', show);
  return {section, show};
}
