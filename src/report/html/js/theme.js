// Light or dark, and the colours of apps. Colours live in theme.css; canvases ask for them here.
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const APP_COLORS = 8;
let chosenTheme = null;  // the reader's choice; null: as the system

function applyTheme(theme) {
  document.documentElement.dataset.theme = theme;
  announce('theme');
}
const currentTheme = () => chosenTheme || (dark.matches ? 'dark' : 'light');

function toggleTheme() {
  chosenTheme = currentTheme() === 'dark' ? 'light' : 'dark';
  applyTheme(chosenTheme);
}

dark.addEventListener('change', () => applyTheme(currentTheme()));
window.addEventListener('beforeprint', () => applyTheme('light'));
window.addEventListener('afterprint', () => applyTheme(currentTheme()));
document.documentElement.dataset.theme = currentTheme();

const cssColor = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const appNumbers = new Map(page.apps.map((app, i) => [app.name, i % APP_COLORS]));
const appVariable = (app) => appNumbers.has(app) ? '--app-' + appNumbers.get(app) : '--faint';
const appColor = (app) => 'var(' + appVariable(app) + ')';
const dot = (app) => el('span', {class: 'dot', style: {background: appColor(app)}});
const named = (app, ...text) => el('span', {class: 'name'}, dot(app), el('span', {}, text));
