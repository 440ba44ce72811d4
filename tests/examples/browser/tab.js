'use strict';
// A tab of a headless Chromium, driven over a pipe (the browser's DevTools protocol), with nothing but node.
const {spawn} = require('child_process'), fs = require('fs'), os = require('os'), path = require('path');

class Tab {
  // Opens the page of a file. `command` starts Chromium; the window is `width` pixels wide.
  static async open(command, file, {width = 1000, height = 900, dark = false} = {}) {
    const tab = new Tab();
    tab.profile = fs.mkdtempSync(path.join(os.tmpdir(), 'plainformer-tab-'));
    tab.browser = spawn(command, ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
      '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run',
      '--host-resolver-rules=MAP * ~NOTFOUND', '--remote-debugging-pipe', `--user-data-dir=${tab.profile}`, 'about:blank'],
      {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
    tab.waiting = new Map();
    tab.console = [];
    tab.requests = [];
    tab.sent = {count: 0};
    let received = '';
    tab.browser.stdio[4].setEncoding('utf8').on('data', text => {
      const messages = (received + text).split('\0');
      received = messages.pop();
      messages.forEach(message => tab.receive(JSON.parse(message)));
    });
    const {targetInfos} = await tab.send('Target.getTargets');
    const targetId = targetInfos.find(target => target.type === 'page').targetId;
    tab.session = (await tab.send('Target.attachToTarget', {targetId, flatten: true})).sessionId;
    for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await tab.send(`${domain}.enable`);
    await tab.send('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: width < 500});
    await tab.send('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: dark ? 'dark' : 'light'}]});
    await tab.send('Page.navigate', {url: 'file://' + path.resolve(file)});
    await tab.until('document.readyState === "complete"');
    return tab;
  }

  receive({id, result, error, method, params}) {
    if (method === 'Runtime.exceptionThrown') this.console.push(params.exceptionDetails.exception?.description ?? 'exception');
    if (method === 'Log.entryAdded' && params.entry.level === 'error') this.console.push(params.entry.text);
    if (method === 'Runtime.consoleAPICalled') this.console.push(params.args.map(arg => arg.value).join(' '));
    if (method === 'Network.requestWillBeSent') this.requests.push(params.request.url);
    if (!this.waiting.has(id)) return;
    const {resolve, reject} = this.waiting.get(id);
    this.waiting.delete(id);
    error ? reject(new Error(error.message)) : resolve(result);
  }

  send(method, params = {}) {
    const id = ++this.sent.count;
    this.browser.stdio[3].write(JSON.stringify({id, method, params, sessionId: this.session}) + '\0');
    return new Promise((resolve, reject) => this.waiting.set(id, {resolve, reject}));
  }

  async reload() {
    await this.send('Page.reload');
    await this.until('document.readyState === "complete" && typeof byId === "function"');
  }

  // The document of the page's frame, which is another world: what is asked of the answer is asked there.
  async inFrame() {
    const find = async () => (await this.send('Target.getTargets')).targetInfos.find(target => target.type === 'iframe');
    while (!await find()) await new Promise(resolve => setTimeout(resolve, 50));
    const {sessionId} = await this.send('Target.attachToTarget', {targetId: (await find()).targetId, flatten: true});
    const inside = Object.assign(Object.create(this), {session: sessionId});
    for (const domain of ['Runtime', 'Network', 'Log']) await inside.send(`${domain}.enable`);
    await inside.until('document.readyState === "complete"');
    return inside;
  }

  // The value of an expression in the page.
  async value(expression) {
    const {result, exceptionDetails} = await this.send('Runtime.evaluate', {expression, returnByValue: true});
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  async until(expression, seconds = 120) {
    const end = Date.now() + 1000 * seconds;
    while (!await this.value(expression)) {
      if (Date.now() > end) throw new Error(`not within ${seconds} s: ${expression}`);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
  }

  // A real key, as the keyboard sends it: 'Tab', 'Enter', ' ', 'ArrowDown'.
  async press(key) {
    const codes = {Tab: 9, Enter: 13, ' ': 32, ArrowDown: 40, ArrowRight: 39}, text = {Enter: '\r', ' ': ' '}[key];
    const event = {key, code: key === ' ' ? 'Space' : key, windowsVirtualKeyCode: codes[key]};
    await this.send('Input.dispatchKeyEvent', {type: text ? 'keyDown' : 'rawKeyDown', text, ...event});
    await this.send('Input.dispatchKeyEvent', {type: 'keyUp', ...event});
  }

  async type(text) { await this.send('Input.insertText', {text}); }

  async close() {
    const ended = new Promise(resolve => this.browser.on('exit', resolve));
    await this.send('Browser.close').catch(() => {});
    await ended;
    fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
  }
}

module.exports = {Tab};
