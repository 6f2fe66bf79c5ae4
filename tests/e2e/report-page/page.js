// node page.js FOLDER RECORD…: FOLDER holds full, hostile and big; of each RECORD the page must open.
'use strict';
const assert = require('node:assert/strict');
const path = require('node:path');
const {Browser} = require('./browser.js');

const [folder, ...records] = process.argv.slice(2);
const file = (record) => path.join(folder, record, 'report.html');
const text = (selector) => `document.querySelector('${selector}').innerText`;

// Opens it and sees that nothing went wrong and nothing but the file itself was asked for.
async function open(browser, record) {
  browser.problems.length = browser.requests.length = 0;
  await browser.goto(file(record));
  await browser.frames();
  assert.ok(await browser.eval(`document.querySelectorAll('.card').length >= 4`), record + ': the page is not there');
  check(browser, record);
}

function check(browser, what) {
  assert.deepEqual(browser.problems, [], what);
  assert.deepEqual(browser.requests.filter((url) => !url.startsWith('file://' + folder) && !url.startsWith('data:')), [], what);
}

const box = (browser, selector) => browser.eval(
  `(() => { const b = document.querySelector('${selector}'); b.scrollIntoView({block: 'start'}); scrollBy(0, -70);
     const r = b.getBoundingClientRect(); return {x: r.x, y: r.y, width: r.width, height: r.height}; })()`);

const overflow = (browser) => browser.eval('document.documentElement.scrollWidth - innerWidth');

async function readPage(browser) {
  await open(browser, 'full');
  assert.match(await browser.eval(text('.head')), /VALID/);
  assert.match(await browser.eval(text('#memory')), /whole machine|not measured/);
  assert.match(await browser.eval(text('#energy')), /not measured/);
  assert.equal(await browser.eval(`document.querySelectorAll('#runs button').length`), 4);
}

async function chooseRun(browser) {
  const before = await browser.eval(text('.tiles'));
  await browser.eval(`document.querySelectorAll('#runs button')[1].click()`);
  await browser.frames();
  assert.notEqual(await browser.eval(text('.tiles')), before);
  assert.equal(await browser.eval(`document.querySelector('#runs [aria-pressed="true"]').innerText`), 'credit #1');
}

async function filterApps(browser) {
  const rows = `document.querySelectorAll('#slo tbody').length`;
  const before = await browser.eval(rows);
  await browser.eval(`document.querySelector('#apps .chip').click()`);
  await browser.frames();
  assert.equal(await browser.eval(rows), before - 1);
  await browser.eval(`document.querySelector('#apps .chip').click()`);
  await browser.frames();
  assert.equal(await browser.eval(rows), before);
}

// Drag over a part of the canvas, read what is under the pointer, double click.
async function zoom(browser) {
  const all = await browser.eval(text('#view'));
  const {x, y, width} = await box(browser, '#gantt');
  const left = x + 168, span = width - 182;
  await browser.mouse('mouseMoved', left + span * 0.25, y + 40);
  assert.match(await browser.eval(text('.tip')), /request/);
  assert.match(await browser.eval(text('.curve-head')), /\d/);
  await browser.mouse('mousePressed', left + span * 0.2, y + 40, {buttons: 1, clickCount: 1});
  await browser.mouse('mouseMoved', left + span * 0.4, y + 40, {buttons: 1});
  await browser.mouse('mouseReleased', left + span * 0.4, y + 40, {clickCount: 1});
  const part = await browser.eval(text('#view'));
  assert.notEqual(part, all);
  await browser.click(left + span / 2, y + 40, 1);
  await browser.click(left + span / 2, y + 40, 2);
  assert.equal(await browser.eval(text('#view')), all);
}

// The same in a chart of the monitor, which shares its axis.
async function zoomChart(browser) {
  const all = await browser.eval(text('#view'));
  const {x, y, width, height} = await box(browser, '#curves .u-over');
  const at = (share) => [x + width * share, y + height / 2];
  await browser.mouse('mouseMoved', ...at(0.5));
  assert.doesNotMatch(await browser.eval(text('.curve-head')), /ø/);
  await browser.mouse('mousePressed', ...at(0.3), {buttons: 1, clickCount: 1});
  await browser.mouse('mouseMoved', ...at(0.6), {buttons: 1});
  await browser.mouse('mouseReleased', ...at(0.6), {clickCount: 1});
  assert.notEqual(await browser.eval(text('#view')), all);
  await browser.eval(`[...document.querySelectorAll('.tools button')].pop().click()`);
  assert.equal(await browser.eval(text('#view')), all);
}

async function themes(browser) {
  const ground = 'getComputedStyle(document.body).backgroundColor';
  const light = await browser.eval(ground);
  await browser.eval(`document.getElementById('theme').click()`);
  await browser.frames();
  assert.notEqual(await browser.eval(ground), light);
  await browser.eval(`document.getElementById('theme').click()`);
  await browser.frames();
  assert.equal(await browser.eval(ground), light);
  await browser.scheme('dark');
  await browser.frames();
}

async function narrow(browser, record) {
  await browser.size(360, 740);
  await open(browser, record);
  assert.ok(await overflow(browser) <= 0, record + ': wider than a phone');
  await browser.size(1280, 900);
}

async function hostile(browser) {
  await open(browser, 'hostile');
  assert.equal(await browser.eval(`document.querySelectorAll('#page script, #page img, #page b').length`), 0);
  assert.doesNotMatch(await browser.eval('document.body.innerText'), /[\u0007\u001b\u202e]/);
  assert.match(await browser.eval('document.body.innerText'), /onerror=alert/);  // as text
  await narrow(browser, 'hostile');
}

async function big(browser) {
  await open(browser, 'big');
  const took = await browser.eval('performance.now()');
  const zoomed = await browser.eval(`(() => { const t = performance.now(); document.querySelector('.tools button').click(); return performance.now() - t; })()`);
  await browser.frames();
  console.log(`big: interactive after ${took.toFixed(0)} ms, zoom ${zoomed.toFixed(0)} ms`);
  assert.ok(took < 20000, 'the big record takes too long');
  assert.match(await browser.eval(text('#thinned')), /drawn as one/);
  check(browser, 'big');
}

async function main() {
  const browser = await Browser.open(path.join(folder, 'profile'));
  try {
    await browser.scheme('light');
    await browser.size(1280, 900);
    await readPage(browser);
    for (const use of [chooseRun, filterApps, zoom, zoomChart, themes]) {
      await use(browser);
      check(browser, use.name);
    }
    await browser.pdf(path.join(folder, 'page.pdf'));
    check(browser, 'print');
    await narrow(browser, 'full');
    await hostile(browser);
    await big(browser);
    for (const record of records) await open(browser, record);
  } finally {
    await browser.close();
  }
}

main().catch((error) => {
  console.error(error.stack || error);
  process.exit(1);
});
