'use strict';
// Makes one page of its parts: node assemble.js engine.wasm plainformer.html
const fs = require('fs'), path = require('path'), zlib = require('zlib');

const [engine, page] = process.argv.slice(2);
const part = name => fs.readFileSync(path.join(__dirname, name), 'utf8');

// ---- the bugs: their choices, and the lines that each replaces

// The edits of the course, by the name of the bug.
const assignments = path.join(__dirname, '../assignments'), exercises = path.join(assignments, 'exercises');
const folders = [path.join(assignments, 'break-it'), ...fs.readdirSync(exercises).map(name => path.join(exercises, name))];
const course = new Map(folders.map(folder => path.join(folder, 'bugs.json')).filter(fs.existsSync)
    .flatMap(file => JSON.parse(fs.readFileSync(file, 'utf8'))).map(({name, edits}) => [name, edits]));

// The edits of a file, in whole lines: those of the sources, and what stands there instead.
function wholeLines(file, edits) {
  const text = fs.readFileSync(path.join(__dirname, '../../src', file), 'utf8'), parts = [];
  for (const [sound, broken] of [...edits].sort(([a], [b]) => text.indexOf(a) - text.indexOf(b))) {
    const at = text.indexOf(sound), begin = text.lastIndexOf('\n', at - 1) + 1;
    const end = text.indexOf('\n', at + sound.replace(/\n$/, '').length) + 1;
    if (at < 0) throw new Error(`${file} lacks ${sound}`);
    const last = parts.at(-1);
    if (last && begin < last.end) {  // in the same lines as the edit before
      last.end = Math.max(last.end, end);
      last.edits.push([sound, broken]);
    } else {
      parts.push({begin, end, edits: [[sound, broken]]});
    }
  }
  return parts.map(({begin, end, edits: own}) => {
    const sound = text.slice(begin, end), broken = own.reduce((now, [from, to]) => now.replace(from, () => to), sound);
    const lines = code => code.split('\n').filter(line => line.trim() !== '');
    return {file: 'src/' + file, sound: lines(sound), broken: lines(broken)};
  });
}
const escaped = text => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
const bugs = JSON.parse(part('bugs.json')), ones = bugs.filter(({edits}) => edits);
const edits = Object.fromEntries(ones.map(({name}) =>
  [name, Object.entries(course.get(name)).flatMap(([file, pairs]) => wholeLines(file, pairs))]));
const choices = [
  ...ones.map(({name, says}) => `<option value="${name}">${says}</option>`), '<optgroup label="Not here">',
  ...bugs.filter(({lacks}) => lacks).map(({name, says, lacks}) => `<option value="${name}" disabled>${says} (${lacks})</option>`),
  '</optgroup>'];

// ---- the page

const contents = {
  style: part('../../src/show/page.css') + part('page.css'),
  script: ['../../src/show/page.js', '../../src/show/attention/learning.js', 'charts.js', 'page.js', 'apart.js', 'keep.js', 'begin.js']
      .map(part).join(''),
  worker: part('engine.js') + part('worker.js'),
  live_style: part('live.css'),
  live_body: part('live.html').replace('{{bugs}}', choices.join('\n')).replace('{{edits}}', () => escaped(JSON.stringify(edits))),
  live_script: part('live.js'),
  engine: zlib.gzipSync(fs.readFileSync(engine), {level: 9}).toString('base64'),
};
for (const name of ['style', 'script', 'worker', 'live_style', 'live_script'])
  if (contents[name].includes('</')) throw new Error(`the ${name} would end its element: it contains "</"`);
fs.writeFileSync(page, part('page.html').replace(/\{\{(\w+)\}\}/g, (mark, name) => contents[name]));
