// A headless Chromium, spoken to over two pipes (Chrome DevTools Protocol): enough to open a
// page, use it as a person would and hear of everything that goes wrong in it.
'use strict';
const {spawn} = require('node:child_process');
const fs = require('node:fs');

const LIMIT_MS = 60000;  // for one answer

class Browser {
  static async open(profile, executable = 'chromium') {
    const browser = new Browser(spawn(executable, [
      '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run',
      '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank',
    ], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']}));
    const {targetInfos} = await browser.send('Target.getTargets');
    const target = targetInfos.find((info) => info.type === 'page');
    const {sessionId} = await browser.send('Target.attachToTarget', {targetId: target.targetId, flatten: true});
    browser.session = sessionId;
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await browser.send(domain + '.enable');
    return browser;
  }

  constructor(child) {
    this.child = child;
    this.waiting = new Map();
    this.problems = [];  // console errors, exceptions, failed or foreign requests
    this.requests = [];
    this.loaded = [];
    this.next = 1;
    let rest = '';
    child.stdio[4].setEncoding('utf8');
    child.stdio[4].on('data', (text) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop();
      messages.forEach((message) => this.take(JSON.parse(message)));
    });
    child.on('exit', () => this.waiting.forEach(({reject}) => reject(new Error('the browser ended'))));
    child.on('error', (error) => this.waiting.forEach(({reject}) => reject(error)));
  }

  send(method, params = {}) {
    const id = this.next++;
    this.child.stdio[3].write(JSON.stringify({id, method, params, sessionId: this.session}) + '\0');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(method + ' was not answered')), LIMIT_MS);
      const end = (call) => (value) => { clearTimeout(timer); call(value); };
      this.waiting.set(id, {resolve: end(resolve), reject: end(reject)});
    });
  }

  take({id, result, error, method, params}) {
    if (id) {
      const {resolve, reject} = this.waiting.get(id);
      this.waiting.delete(id);
      return error ? reject(new Error(error.message)) : resolve(result);
    }
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    if (method === 'Runtime.exceptionThrown') this.problems.push(params.exceptionDetails.exception?.description || params.exceptionDetails.text);
    if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
      this.problems.push(params.args.map((arg) => arg.value || arg.description).join(' '));
    if (method === 'Log.entryAdded' && params.entry.level !== 'verbose') this.problems.push(params.entry.text);
    if (method === 'Page.javascriptDialogOpening') this.problems.push('a dialog: ' + params.message);
    if (method === 'Page.loadEventFired') this.loaded.splice(0).forEach((call) => call());
  }

  async goto(file) {
    const loaded = new Promise((resolve) => this.loaded.push(resolve));
    await this.send('Page.navigate', {url: 'file://' + file});
    await loaded;
  }

  // The value of an expression in the page.
  async eval(expression) {
    const {result, exceptionDetails} = await this.send('Runtime.evaluate', {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(expression + ': ' + (exceptionDetails.exception?.description || exceptionDetails.text));
    return result.value;
  }

  // After what the page does in its next two frames.
  frames() {
    return this.eval('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))');
  }

  async size(width, height, scale = 1) {
    await this.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: scale, mobile: width < 600});
    await this.frames();
  }

  scheme(value) {
    return this.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value}]});
  }

  async mouse(type, x, y, more = {}) {
    await this.send('Input.dispatchMouseEvent', {type, x, y, button: 'left', ...more});
    await this.frames();
  }

  async click(x, y, count = 1) {
    await this.mouse('mousePressed', x, y, {clickCount: count, buttons: 1});
    await this.mouse('mouseReleased', x, y, {clickCount: count});
  }

  async screenshot(file, whole = true) {
    const {data} = await this.send('Page.captureScreenshot', {format: 'png', captureBeyondViewport: whole});
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }

  async pdf(file) {
    const {data} = await this.send('Page.printToPDF', {printBackground: true, preferCSSPageSize: true});
    fs.writeFileSync(file, Buffer.from(data, 'base64'));
  }

  async close() {
    const ended = new Promise((resolve) => this.child.on('exit', resolve));
    this.send('Browser.close').catch(() => {});
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
  }
}

module.exports = {Browser};
