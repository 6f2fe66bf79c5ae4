// Device, engines, what was not measured, doubts, and how to do it again.
function factText(key, value) {
  if (value === null) return 'unknown';
  if (typeof value === 'number') return /bytes$/.test(key) ? bytes(value) : whole(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((item) => factText('', item)).join(', ');
  if (typeof value === 'object') return entries(value).map(([name, item]) => name + ' ' + factText(name, item)).join(', ');
  return value;
}

const factName = (key) => key.replace(/_bytes$/, '').replaceAll('_', ' ');
const factList = (object) => el('dl', {class: 'facts'}, entries(object).flatMap(([key, value]) =>
  [el('dt', {}, factName(key)), el('dd', {}, factText(key, value))]));

function arrangementTable() {
  const rows = entries(page.arrangements).flatMap(([strategy, engines]) => entries(engines).map(([engine, how]) => [strategy, engine, how]));
  if (!rows.length) return null;
  return [el('h3', {}, 'How each engine got the device'), el('div', {class: 'scroll'}, el('table', {},
    el('thead', {}, el('tr', {}, ['strategy', 'engine', 'how'].map((head, i) => el('th', {class: i ? '' : 'first'}, head)))),
    el('tbody', {}, rows.map(([strategy, engine, how], i) => {
      const again = i > 0 && rows[i - 1][0] === strategy;
      return el('tr', {class: again ? 'cont' : null}, el('th', {class: 'first', scope: 'row'}, again ? '' : strategy), el('td', {}, engine),
                el('td', {class: 'wrap'}, (how && how.how) || factText('', how)));
    }))))];
}

function deviceCards() {
  const none = absent('the record names none');
  const engines = entries(summary.engines).map(([name, facts]) => el('div', {}, el('h3', {}, name), factList(facts)));
  return [el('div', {class: 'columns'}, card('device', 'Device', null, entries(summary.device).length ? factList(summary.device) : none),
             card('monitor', 'Monitor', null, probesPart())),
          card('engines', 'Engines', null, engines.length ? el('div', {class: 'engines'}, engines) : none)];
}

function probesPart() {
  const missing = summary.probes.filter((probe) => probe.state !== 'present');
  const present = summary.probes.filter((probe) => probe.state === 'present').map((probe) => probe.name);
  if (!summary.probes.length) return el('p', {class: 'note'}, absent('the record names no probes'));
  return [el('p', {class: 'note'}, 'Read: ' + present.join(', ') + '.'),
    missing.length ? el('dl', {class: 'facts', id: 'probes'}, missing.flatMap((probe) =>
      [el('dt', {}, probe.name), el('dd', {class: 'absent'}, 'not measured: ' + (probe.reason || probe.state))])) : null];
}

// "what is doubtful; what to do about it"
function doubtItem({where, text}) {
  const cutAt = text.lastIndexOf('; ');
  return el('li', {}, where ? el('span', {class: 'where'}, where) : null, cutAt < 0 ? text : text.slice(0, cutAt) + '.',
            cutAt < 0 ? null : el('span', {class: 'advice'}, '→ ' + text.slice(cutAt + 2)));
}

function doubtsCard() {
  const doubts = allDoubts();
  return card('doubts', 'Doubts', doubts.length ? 'What to look at before these numbers are believed, and what would help.' : 'Nothing about this record looks doubtful.',
    el('ul', {class: 'list'}, doubts.map(doubtItem)),
    summary.notes.length ? [el('h3', {}, 'Notes'), el('ul', {class: 'list'}, summary.notes.map((note) => el('li', {}, note)))] : null);
}

function reproduceCard() {
  const {command, cbench_version: version, seed, scenario} = page.reproduce;
  return card('reproduce', 'Do it again', null,
    command.length ? preformatted(command.map(shellWord).join(' '), 'wrap') : absent('the record names no command'),
    el('p', {class: 'note', style: {margin: '12px 0'}}, `cbench ${version}, seed ${seed}. Record: ${summary.directory || 'unknown'}`),
    arrangementTable(),
    el('details', {style: {marginTop: '16px'}}, el('summary', {}, 'The scenario as it was understood'), preformatted(JSON.stringify(scenario, null, 2))));
}
