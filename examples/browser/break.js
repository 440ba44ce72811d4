'use strict';
// Writes the sources that have bugs to switch on: node break.js SRC FOLDER. Prints their names in SRC.
//
// FOLDER gets bugs.h, and a copy of each source that bugs.json edits. Each edit asks a variable of bugs.h at run time, and
// all are off at first.
const fs = require('fs'), path = require('path');

const [root, folder] = process.argv.slice(2);
const bugs = JSON.parse(fs.readFileSync(path.join(__dirname, 'bugs.json'), 'utf8')).filter(({edits}) => edits);
const texts = new Map();
for (const {name, edits} of bugs)
  for (const [file, pairs] of Object.entries(edits))
    for (const [sound, switched] of pairs) {
      const text = texts.get(file) ?? '#include "bugs.h"\n' + fs.readFileSync(path.join(root, file), 'utf8');
      if (text.split(sound).length !== 2) throw new Error(`${name}: ${file} must have once: ${sound}`);
      texts.set(file, text.replace(sound, () => switched));
    }

const flags = bugs.map(({name}) => `inline bool ${name.replace(/-/g, '_')} = false;\n`);
const table = bugs.map(({name}) => `    {"${name}", &${name.replace(/-/g, '_')}},\n`);
texts.set('bugs.h', `// Written by break.js: what can be broken.\n#pragma once\n\n#include <string>\n#include <utility>\n#include <vector>\n
namespace plainformer::bug {\n\n${flags.join('')}
inline const std::vector<std::pair<std::string, bool*>> all = {\n${table.join('')}};\n\n}  // namespace plainformer::bug\n`);

for (const [file, text] of texts) {
  const target = path.join(folder, file);
  if (fs.existsSync(target) && fs.readFileSync(target, 'utf8') === text) continue;
  fs.mkdirSync(path.dirname(target), {recursive: true});
  fs.writeFileSync(target, text);
}
console.log([...texts.keys()].filter(file => file.endsWith('.cpp')).join(';'));
