// Which of the monitor's series stand in one chart.
const of = (probe, ...names) => (series) => series.probe === probe && names.includes(series.name);
const ending = (probe, ...ends) => (series) => series.probe === probe && ends.some((end) => series.name.endsWith(end));
const either = (...tests) => (series) => tests.some((test) => test(series));

const CURVE_GROUPS = [
  {title: 'CPU', has: of('cpu', 'busy', 'iowait', 'steal'), shown: true, full: 1},
  {title: 'CPU by process', has: ending('process', '.cpu')},
  {title: 'Pressure', about: 'share of time in which something waited', has: of('pressure', 'cpu_some', 'memory_some', 'io_some'), shown: true, full: 1},
  {title: 'GPU', has: either(ending('nvidia', '.busy'), ending('amd', '.busy'), ending('nvidia-gpm', '.sm_active', '.sm_occupancy', '.tensor_active', '.dram_active')), shown: true, full: 1},
  {title: 'Memory by process', has: ending('footprint', '.pss'), shown: true},
  {title: 'Resident memory', about: 'shared pages count in each process', has: ending('process', '.rss')},
  {title: 'Memory available', has: of('memory', 'available')},
  {title: 'Memory of the GPU', has: either((s) => s.probe === 'nvidia' && s.unit === 'bytes', (s) => s.probe === 'amd' && s.unit === 'bytes')},
  {title: 'Power', has: (s) => s.unit === 'W', shown: true},
  {title: 'Clock', has: (s) => s.unit === 'Hz'},
  {title: 'Temperature', has: (s) => s.unit === '°C'},
  {title: 'Memory traffic', has: either(of('dram', 'read', 'write'), ending('amd', '.dram_read', '.dram_write'))},
  {title: 'Disk', has: of('disk', 'read', 'write')},
  {title: 'Network', has: of('network', 'received', 'sent', 'loopback')},
  {title: 'Page faults', has: of('paging', 'major_faults', 'minor_faults')},
  {title: 'Swap', has: either(of('paging', 'swap_in', 'swap_out'))},
];

const MOST_CURVES = 10;  // in a chart; more can't be told apart

function groupsOf(run) {
  const curves = run.curves.filter((curve) => curve.t);
  return CURVE_GROUPS.map((group) => ({...group, curves: curves.filter(group.has).slice(0, MOST_CURVES)}))
      .filter((group) => group.curves.length);
}

// The only app of an engine lends it its colour; machines and shared engines have neutral ones.
function appOfEngine(engine) {
  const apps = page.reproduce.scenario && page.reproduce.scenario.apps;
  const users = Array.isArray(apps) ? apps.filter((app) => app && app.engine === engine) : [];
  return users.length === 1 ? users[0].name : null;
}

function curveVariable(curve, i) {
  const app = curve.probe === 'process' || curve.probe === 'footprint' ? appOfEngine(curve.name.replace(/\.\w+$/, '')) : null;
  return app !== null && appNumbers.has(app) ? appVariable(app) : '--curve-' + i % 5;
}

const curveLabel = (curve) => curve.name.replace(/\.(cpu|pss|rss)$/, '').replace(/_some$/, '').replaceAll('_', ' ');
