'use strict';
// Makes one page of its parts: node assemble.js engine.wasm plainformer.html
const fs = require('fs'), path = require('path'), zlib = require('zlib');

const [engine, page] = process.argv.slice(2);
const part = name => fs.readFileSync(path.join(__dirname, name), 'utf8');
const bugs = JSON.parse(part('bugs.json')).map(({name, says}) => `<option value="${name}">${says}</option>`);
const contents = {
  style: part('page.css'),
  script: part('charts.js') + part('page.js') + part('apart.js') + part('keep.js') + part('begin.js'),
  worker: part('engine.js') + part('worker.js'),
  live_style: part('live.css'),
  live_body: part('live.html').replace('{{bugs}}', bugs.join('\n')),
  live_script: part('live.js'),
  engine: zlib.gzipSync(fs.readFileSync(engine), {level: 9}).toString('base64'),
};
for (const name of ['style', 'script', 'worker', 'live_style', 'live_script'])
  if (contents[name].includes('</')) throw new Error(`the ${name} would end its element: it contains "</"`);
fs.writeFileSync(page, part('page.html').replace(/\{\{(\w+)\}\}/g, (mark, name) => contents[name]));
