'use strict';
// What the pages of docs/ hold, read without the tools that make the book: its pages, and their formulas.
const fs = require('fs'), path = require('path');

const read = file => fs.readFileSync(file, 'utf8');

// The pages of docs/ that the tables and lists of docs/README.md link, in their order, after that page itself.
function pagesOf(docs) {
  const pages = [path.join(docs, 'README.md')];
  for (const line of read(pages[0]).split('\n')) {
    if (!/^(\|| *- |  )/.test(line)) continue;
    for (const [, link] of line.matchAll(/\]\(([^)#]+\.md)/g)) {
      const page = path.join(docs, link);
      if (!pages.includes(page) && page.startsWith(docs + path.sep)) pages.push(page);
    }
  }
  return pages;
}

// The formulas of a page, in their order: {source, isBlock, rows}; rows are those of all its matrices and cases.
function formulasOf(page) {
  const text = read(page).replace(/<!--.*?-->/gs, ''), formulas = [];
  const pattern = /^( *)```(\w*)\n(.*?)^\1```$|``[^`].*?``|\$`(.*?)`\$|`[^`]*`/gms;
  for (const [, , language, block, inline] of text.matchAll(pattern)) {
    const source = language === 'math' ? block : inline;
    if (source === undefined) continue;
    const count = part => source.split(part).length - 1;
    const rows = count('\\begin{') + count('\\\\');
    formulas.push({source: source.trim().replace(/\s+/g, ' '), isBlock: language === 'math', rows});
  }
  return formulas;
}

// The source files of the code that a page quotes, in the order of the quotations.
const quotedFilesOf = page => Array.from(read(page).matchAll(/^ *<!-- code: (\S+)/gm), ([, file]) => file);

const picturesOf = page => Array.from(read(page).matchAll(/!\[[^\]]*\]\(([^)]*\.svg)\)/g), ([, file]) => file);

module.exports = {pagesOf, formulasOf, quotedFilesOf, picturesOf};
