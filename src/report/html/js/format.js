// Numbers for people. What is not known is a dash, never 0.
const NONE = '—';
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);

function threeDigits(value) {
  const size = Math.abs(value);
  return size < 9.995 ? value.toFixed(2) : size < 99.95 ? value.toFixed(1) : value.toFixed(0);
}

function seconds(s) {
  if (!isNumber(s)) return NONE;
  if (s < 0) return '−' + seconds(-s);
  if (s === 0) return '0 s';
  if (s < 0.9995e-3) return threeDigits(s * 1e6) + ' µs';
  if (s < 0.9995) return threeDigits(s * 1e3) + ' ms';
  if (s < 3600) return threeDigits(s) + ' s';
  if (s < 9e6) return threeDigits(s / 3600) + ' h';
  return '> 100 d';
}

// 99.6 % is not 100 %: only all is all.
function percent(share) {
  if (!isNumber(share)) return NONE;
  const value = share * 100;
  if (value > 99 && value < 100) return '> 99 %';
  const even = 2 * Math.round(value / 2);  // halves to even, as in the other reports
  return (Math.abs(value - Math.trunc(value)) === 0.5 ? even : Math.round(value)) + ' %';
}

function scaled(value, unit, base, prefixes) {
  let power = 0;
  let size = Math.abs(value);
  while (size >= base * 0.9995 && power + 1 < prefixes.length) {
    size /= base;
    ++power;
  }
  const shown = power === 0 && Number.isInteger(value) ? String(size) : threeDigits(size);
  return (value < 0 ? '−' : '') + shown + ' ' + prefixes[power] + unit;
}

const bytes = (value) => isNumber(value) ? scaled(value, 'B', 1024, ['', 'Ki', 'Mi', 'Gi', 'Ti']) : NONE;
const decimal = (value, unit) => isNumber(value) ? scaled(value, unit, 1000, ['', 'k', 'M', 'G', 'T']) : NONE;
const ratio = (value) => isNumber(value) ? value.toFixed(2) : NONE;
const whole = (value) => isNumber(value) ? value.toLocaleString('en') : NONE;

// A value of a monitor's series.
function quantity(value, unit) {
  if (!isNumber(value)) return NONE;
  if (unit === 'ratio') return percent(value);
  if (unit === 'bool') return value > 0 ? 'yes' : 'no';
  if (unit === 'bytes') return bytes(value);
  if (unit === 'bytes/s') return bytes(value) + '/s';
  if (unit === 's') return seconds(value);
  if (unit === 'count') return whole(Math.round(value));
  if (unit === 'cores' || unit === '°C' || unit === 'rpm') return threeDigits(value) + ' ' + unit;
  return decimal(value, unit);
}

// A moment on an axis whose ticks are `step` seconds apart.
function moment(t, step) {
  if (t === 0) return '0';
  if (step >= 60) {
    const minutes = Math.round(t / 60);
    return minutes < 60 ? minutes + ' min'
        : Math.floor(minutes / 60) + ' h' + (minutes % 60 ? ' ' + minutes % 60 : '');
  }
  if (step >= 0.1) return t.toFixed(step < 1 ? 1 : 0) + ' s';
  if (step >= 1e-4) return (t * 1e3).toFixed(step < 1e-3 ? 1 : 0) + ' ms';
  return (t * 1e6).toFixed(0) + ' µs';
}

// One request's or step's place in time, as exact as its unit of 1 µs.
const place = (t) => Math.abs(t) < 3600 ? t.toFixed(3) + ' s' : (t / 3600).toFixed(4) + ' h';

function shellWord(word) {
  return /^[\w@%+=:,.\/-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}
