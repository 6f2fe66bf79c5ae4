// Axes: round numbers, linear or logarithmic.
function roundStep(span, count) {
  const raw = span / Math.max(1, count);
  const power = 10 ** Math.floor(Math.log10(raw));
  const digit = [1, 2, 5, 10].find((d) => d * power >= raw * 0.999) || 10;
  return digit * power;
}

// Ticks of time: 1, 2, 5 × 10ⁿ seconds, and minutes and hours above.
function timeStep(span, count) {
  const raw = span / Math.max(1, count);
  if (raw <= 20) return roundStep(span, count);
  return [30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400].find((s) => s >= raw * 0.7) ||
      roundStep(span / 86400, count) * 86400;
}

function ticksBetween(from, to, step) {
  const ticks = [];
  const first = Math.ceil(from / step - 1e-6);
  for (let i = first; i * step <= to + step * 1e-6 && ticks.length < 100; ++i) ticks.push(i * step);
  return ticks;
}

// Value -> pixel and back. Logarithmic where the largest value dwarfs the smallest.
const LOG_FROM = 12;
function valueScale(values, from, to) {
  const low = Math.min(...values), high = Math.max(...values);
  const log = low > 0 && high / low >= LOG_FROM;
  const [a, b] = log ? [Math.log10(low) - 0.08, Math.log10(high) + 0.08] : [0, high * 1.05 || 1];
  const pixel = (v) => from + (to - from) * ((log ? Math.log10(Math.max(v, 1e-12)) : v) - a) / (b - a);
  const value = (x) => {
    const part = a + (b - a) * (x - from) / (to - from);
    return log ? 10 ** part : part;
  };
  return {log, pixel, value, ticks: log ? decades(a, b) : ticksBetween(0, b, roundStep(b, 4))};
}

function decades(a, b) {
  const digits = b - a < 1.7 ? [1, 2, 5] : b - a < 3.2 ? [1, 3] : [1];
  const ticks = [];
  for (let power = Math.floor(a); power <= b; ++power) {
    for (const digit of digits) {
      const value = digit * 10 ** power;
      if (Math.log10(value) >= a && Math.log10(value) <= b) ticks.push(value);
    }
  }
  return ticks;
}

// A tick's label, without digits it doesn't need.
function shortSeconds(s) {
  if (s === 0) return '0';
  const [value, unit] = s < 0.9995e-3 ? [s * 1e6, 'µs'] : s < 0.9995 ? [s * 1e3, 'ms']
      : s < 3600 ? [s, 's'] : [s / 3600, 'h'];
  return Number(value.toPrecision(3)) + ' ' + unit;
}
