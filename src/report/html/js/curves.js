// The monitor's curves (uPlot), which share view and pointer with the canvas above.
const POWERS_OF_TWO = Array.from({length: 50}, (_, i) => 2 ** i);
const CHART_HEIGHT = 92, TIME_HEIGHT = 22;

function chartData(group) {
  const tables = group.curves.map((curve) => curve.low ? [curve.t, curve.v, curve.low, curve.high] : [curve.t, curve.v]);
  return tables.length === 1 ? tables[0] : uPlot.join(tables);
}

// A mean's line, and the range of what was drawn as one point as a band behind it.
function chartSeries(group) {
  const series = [{}], bands = [];
  group.curves.forEach((curve, i) => {
    const color = cssColor(curveVariable(curve, i));
    series.push({stroke: color, width: 1.5, points: {show: false}});
    if (!curve.low) return;
    series.push({stroke: 'transparent', points: {show: false}}, {stroke: 'transparent', points: {show: false}});
    bands.push({series: [series.length - 1, series.length - 2], fill: color + '2e'});
  });
  return {series, bands};
}

function chartOptions(group, width, last, hooks) {
  const font = '11px ' + cssColor('--font');
  const line = {stroke: cssColor('--line'), width: 1};
  const axis = {stroke: cssColor('--muted'), font, grid: line, ticks: {show: false}};
  const unit = group.curves[0].unit;
  const top = Math.max(...group.curves.map((curve) => curve.max || 0));
  const most = group.full && top <= group.full * 1.02 ? group.full : top * 1.08 || 1;
  return {
    width, height: CHART_HEIGHT + (last ? TIME_HEIGHT : 0), padding: [8, RIGHT, last ? 0 : 6, 0], ...chartSeries(group),
    legend: {show: false},
    cursor: {y: false, points: {size: 7, fill: cssColor('--card'), width: 2}, drag: {x: true, y: false, setScale: false}, bind: {dblclick: () => () => { resetView(); return null; }}},
    scales: {x: {time: false, range: () => [...state.view]}, y: {range: [Math.min(0, ...group.curves.map((curve) => curve.min || 0)), most]}},
    axes: [{...axis, show: last, size: TIME_HEIGHT, gap: 2, space: 95,
            splits: () => ticksBetween(...state.view, timeStep(state.view[1] - state.view[0], Math.max(2, (width - gutter(width)) / 95))),
            values: (u, ticks) => ticks.map((t) => moment(t, ticks.length > 1 ? ticks[1] - ticks[0] : 1))},
           {...axis, size: gutter(width), gap: 8, space: 34, ...(unit.startsWith('bytes') ? {incrs: POWERS_OF_TWO} : {}), values: (u, ticks) => ticks.map((v) => quantity(v, unit))}],
    hooks,
  };
}

// The chart's title and, beside each name, the value under the pointer or the mean.
function chartHead(group) {
  const values = group.curves.map(() => el('span', {class: 'v'}));
  const head = el('div', {class: 'curve-head'}, el('b', {}, group.title), group.curves.map((curve, i) => el('span', {class: 'key'},
    el('i', {style: {background: `var(${curveVariable(curve, i)})`}}), curveLabel(curve), values[i])),
    group.about ? el('span', {class: 'sub'}, group.about) : null);
  const show = (at) => group.curves.forEach((curve, i) => {
    const value = at === null ? curve.mean : valueAt(curve, at);
    values[i].textContent = (at === null ? 'ø ' : '') + quantity(value, curve.unit);
  });
  show(null);
  return {head, show};
}

// The last value up to t; none in a gap.
function valueAt(curve, t) {
  const i = firstWhere(curve.t.length, (k) => curve.t[k] > t) - 1;
  return i < 0 ? null : curve.v[i];
}

function makeChart(group, width, last) {
  const {head, show} = chartHead(group);
  const box = el('div', {class: 'chart'});
  let own = false;  // it moves the pointer of others, not they its
  const hooks = {
    setSelect: [(u) => {
      const {left, width: wide} = u.select;
      u.setSelect({left: 0, top: 0, width: 0, height: 0}, false);
      if (wide > 3) setView(u.posToVal(left, 'x'), u.posToVal(left + wide, 'x'));
    }],
    setCursor: [(u) => {
      if (own) return;
      const {left} = u.cursor;
      setMoment(left >= 0 ? u.posToVal(left, 'x') : null, u);
    }],
  };
  const plot = new uPlot(chartOptions(group, width, last, hooks), chartData(group), box);
  const follow = (source) => {
    show(state.moment);
    if (source === plot) return;
    own = true;
    const left = state.moment === null ? -10 : plot.valToPos(state.moment, 'x');
    plot.setCursor({left, top: state.moment === null ? -10 : 10}, false);
    own = false;
  };
  return {node: el('div', {}, head, box), plot, follow, zoom: () => plot.setScale('x', {min: state.view[0], max: state.view[1]})};
}

const chosenGroups = new Map();  // title -> the reader's choice
const isGroupShown = (group) => chosenGroups.has(group.title) ? chosenGroups.get(group.title) : Boolean(group.shown);

function groupButtons(groups, changed) {
  return el('div', {class: 'group', style: {marginTop: '16px'}}, el('span', {class: 'label'}, 'Counters'), groups.map((group) => {
    const button = el('button', {type: 'button', class: 'chip', 'aria-pressed': isGroupShown(group), onclick: () => {
      chosenGroups.set(group.title, !isGroupShown(group));
      changed();
    }}, group.title);
    return button;
  }));
}

function curvesPanel() {
  const panel = el('div', {id: 'curves'});
  let charts = [];
  const show = () => {
    charts.forEach((chart) => chart.plot.destroy());
    const run = runData(state.run);
    const groups = groupsOf(run);
    const shown = groups.filter(isGroupShown);
    charts = shown.map((group, i) => makeChart(group, panel.clientWidth, i === shown.length - 1));
    const note = run.curvesReason ? el('p', {class: 'note'}, 'The samples end early: ' + run.curvesReason) : null;
    const none = groups.length ? groupButtons(groups, show) : el('p', {class: 'note'}, absent('the record has no samples of the monitor for this run'));
    panel.replaceChildren(...[none, note, ...charts.map((chart) => chart.node)].filter(Boolean));
  };
  listen('moment', (source) => charts.forEach((chart) => chart.follow(source)));
  listen('view', () => charts.forEach((chart) => chart.zoom()));
  return {panel, show};
}
