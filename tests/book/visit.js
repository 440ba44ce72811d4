'use strict';
// Reads the book as its readers do, in a headless Chromium: node visit.js CHROMIUM book.html DOCS
const assert = require('assert'), fs = require('fs'), path = require('path');
const {Tab} = require('../examples/browser/tab.js');
const {pagesOf, formulasOf, quotedFilesOf, picturesOf} = require('./sources.js');

const focused = 'document.activeElement';
const shown = 'Array.from(document.querySelectorAll("article")).filter(page => page.offsetParent)' +
    '.map(page => page.id)';
const all = (selector, value) => `Array.from(document.querySelectorAll(${JSON.stringify(selector)}), e => ${value})`;

// Leads the tab to a place of the book.
async function goTo(tab, id) {
  await tab.value(`location.hash = ${JSON.stringify('#' + id)}`);
  await tab.until(`document.title !== "" && document.querySelector(":target")?.id === ${JSON.stringify(id)}`, 10);
}

async function pressUntil(tab, key, condition) {
  for (let i = 0; i < 40 && !await tab.value(condition); ++i) await tab.press(key);
  assert.ok(await tab.value(condition), `${key} does not lead to: ${condition}`);
}

// The processor's time counts, as the clock's says more about what else the machine does.
async function opensSoon(tab) {
  await tab.send('Performance.enable', {timeDomain: 'threadTicks'});
  await tab.send('Page.reload');
  const timing = 'performance.getEntriesByType("navigation")[0]';
  await tab.until(`${timing}.loadEventEnd > 0 && performance.getEntriesByName("first-contentful-paint").length > 0`);
  const {metrics} = await tab.send('Performance.getMetrics');
  const seconds = metrics.find(({name}) => name === 'ThreadTime').value;
  const paint = await tab.value('performance.getEntriesByName("first-contentful-paint")[0].startTime');
  console.log(`opened with ${seconds.toFixed(2)} s of work; shown after ${Math.round(paint)} ms, ` +
      `complete after ${Math.round(await tab.value(timing + '.loadEventEnd'))} ms`);
  assert.ok(seconds < 1);
}

// Every formula of the sources is there, as a formula, with its rows.
async function showsFormulas(tab, pages) {
  const formulas = pages.flatMap(formulasOf);
  const rows = await tab.value(all('article math', '({source: e.getAttribute("alttext"), ' +
      'isBlock: e.getAttribute("display") === "block", rows: e.querySelectorAll("mtr").length})'));
  for (const row of rows) row.source = row.source?.trim().replace(/\s+/g, ' ');
  assert.equal(rows.length, formulas.length);
  rows.forEach((row, i) => assert.deepEqual(row, formulas[i], `formula ${i}`));
  assert.ok(formulas.length > 200 && formulas.some(({rows}) => rows > 2));
  const faulty = all('article .math, merror, mstyle[mathvariant]', 'e.outerHTML');
  assert.deepEqual(await tab.value(faulty), [], 'not set');
  console.log(`${formulas.length} formulas`);
}

// Every link inside leads to one place, and the others lead to the network.
async function linksResolve(tab) {
  const ids = await tab.value(all('[id]', 'e.id'));
  assert.equal(new Set(ids).size, ids.length, 'an id stands twice: ' + ids.filter((id, i) => ids.indexOf(id) !== i));
  const links = await tab.value(all('a', 'e.getAttribute("href")'));
  const isAlive = link => link.startsWith('#') ? ids.includes(decodeURIComponent(link.slice(1))) : /^https:/.test(link);
  const dead = links.filter(link => !isAlive(link));
  assert.deepEqual(dead, [], 'links that lead nowhere');
  const inside = links.filter(link => link.startsWith('#')).length;
  assert.ok(inside > 700, `${inside} links`);
  console.log(`${inside} links inside, ${links.length - inside} to the network`);
}

async function showsPictures(tab, pages) {
  const pictures = pages.flatMap(picturesOf).length;
  await tab.value(all('article img', 'e.loading = "eager"'));
  await tab.until(`${all('img', 'e.complete')}.every(Boolean)`, 20);
  assert.deepEqual(await tab.value(all('article img', 'e.naturalWidth > 0')), Array(pictures).fill(true));
  console.log(`${pictures} pictures`);
}

// Quoted code says from where; the other comments of the pages are not shown.
async function namesSources(tab, pages) {
  assert.deepEqual(await tab.value(all('.quoted', 'e.textContent.trim()')), pages.flatMap(quotedFilesOf));
  const texts = await tab.value(all('article p:not(:has(code))', 'e.textContent'));
  assert.deepEqual(texts.filter(text => text.includes('<!--')), []);
}

// No character looks as one that no font has.
async function hasGlyphs(tab) {
  const missing = await tab.value(`(() => {
    const characters = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      if (parent.closest('script, style')) continue;
      const font = parent.closest('pre, code, math, nav, summary, header') ?? document.body;
      const family = getComputedStyle(font).fontFamily;
      if (!characters.has(family)) characters.set(family, new Set());
      for (const c of walker.currentNode.data) if (c > ' ') characters.get(family).add(c);
    }
    const canvas = document.createElement('canvas'), context = canvas.getContext('2d', {willReadFrequently: true});
    canvas.width = canvas.height = 40;
    const drawn = c => {
      context.clearRect(0, 0, 40, 40);
      context.fillText(c, 4, 30);
      return String(context.getImageData(0, 0, 40, 40).data);
    };
    const missing = [];
    for (const [family, set] of characters) {
      context.font = '24px ' + family;
      const nothing = drawn('\\u{10fffd}');
      for (const c of set) if (drawn(c) === nothing) missing.push(c + ' in ' + family);
    }
    return missing;
  })()`);
  assert.deepEqual(missing, [], 'no font of this machine has these characters');
}

// What a screen reader says: every place, control, picture and formula has a name.
async function hasNames(tab) {
  assert.equal(await tab.value('document.documentElement.lang'), 'en');
  const named = {'article img': 'e.alt', 'article math': 'e.getAttribute("alttext")', 'a, button, summary':
    'e.textContent.trim() || e.getAttribute("aria-label") || e.querySelector("img")?.alt',
    'nav, article': 'e.getAttribute("aria-label")'};
  for (const [selector, name] of Object.entries(named)) {
    const names = await tab.value(all(selector, `${name} ? "" : e.outerHTML.slice(0, 200)`));
    assert.deepEqual(names.filter(name => name !== ''), [], `${selector} without a name`);
  }
  await goTo(tab, '3.2.1-scaled-dot-product-attention');
  const {nodes} = await tab.send('Accessibility.getFullAXTree');
  const isRead = role => nodes.filter(node => !node.ignored && node.role.value === role);
  for (const role of ['navigation', 'article', 'heading', 'link', 'image', 'searchbox', 'DisclosureTriangle']) {
    assert.ok(isRead(role).length > 0, `no ${role}`);
    for (const node of isRead(role)) assert.ok(node.name?.value, `a ${role} without a name`);
  }
  for (const role of ['main', 'MathMLMath']) assert.ok(isRead(role).length > 0, `no ${role}`);  // read by their parts
  const levels = await tab.value(all('article :is(h1, h2, h3, h4)', 'Number(e.tagName[1])'));
  levels.forEach((level, i) => assert.ok(level === 1 || level <= levels[i - 1] + 1, `heading ${i} has the level ${level}`));
}

// One page at a time, each as wide as the window, also with its folded parts open.
async function fits(tab, pages) {
  await tab.value(all('article details', 'e.open = true'));
  for (const id of pages) {
    await goTo(tab, id);
    assert.deepEqual(await tab.value(shown), [id]);
    const [content, window] = await tab.value('(page => [page.scrollWidth, page.clientWidth])(document.documentElement)');
    assert.ok(content <= window, `${id} is ${content} pixels wide, the window ${window}`);
  }
}

async function withTheKeyboard(tab) {
  await pressUntil(tab, 'Tab', `${focused}.className === "skip"`);
  await pressUntil(tab, 'Tab', `${focused}.id === "query"`);
  await pressUntil(tab, 'Tab', `${focused}.closest("nav")?.ariaLabel === "Contents"`);
  const outline = `(style => style.outlineStyle + ' ' + style.outlineWidth)(getComputedStyle(${focused}))`;
  assert.equal(await tab.value(outline), 'solid 2px', 'the focus is not visible');
  const chapter = await tab.value(`${focused}.hash.slice(1)`);
  await tab.press('Enter');
  await tab.until(`${shown}[0] === ${JSON.stringify(chapter)}`, 10);
  await tab.until(`${all('[aria-current]', 'e.hash.slice(1)')}.join() === ${JSON.stringify(chapter)}`, 10);

  await tab.press('/');
  assert.equal(await tab.value(`${focused}.id`), 'query');
  await tab.type('smoothing LABEL');
  await tab.until('document.querySelectorAll("#results a").length > 0', 10);
  assert.match(await tab.value('document.getElementById("found").textContent'), /^\d+ sections$/);
  const heading = await tab.value('document.querySelector("#results b").textContent');
  assert.equal(heading, 'Label smoothing');
  assert.ok(await tab.value('document.querySelectorAll("#results mark").length') > 0);
  await tab.press('ArrowDown');
  const place = await tab.value(`${focused}.hash.slice(1)`);
  await tab.press('Enter');
  await tab.until(`${shown}[0] === ${JSON.stringify(place.split('/')[0])}`, 10);
  const top = await tab.value(`document.getElementById(${JSON.stringify(place)}).getBoundingClientRect().top`);
  assert.ok(top >= 0 && top < 100, `the place is ${top} pixels from the top`);
  assert.equal(await tab.value('document.querySelectorAll("#results a").length'), 0);

  await tab.press('/');
  await tab.type('<b>no such word');
  assert.equal(await tab.value('document.getElementById("found").textContent'), '0 sections');
  await tab.press('Escape');
  assert.equal(await tab.value('document.getElementById("query").value'), '');
}

// All but the search works where no script runs.
async function withoutScripts(tab) {
  await tab.send('Emulation.setScriptExecutionDisabled', {value: true});
  await tab.send('Page.reload');
  await tab.until('document.readyState === "complete" && document.querySelector("form").hidden');
  await tab.value('document.querySelector("header nav a[href=\\"#5-training\\"]").click()');
  await tab.until(`${shown}.join() === "5-training"`, 10);
  await tab.value('document.querySelector("#\\\\35 -training .turn a[rel=next]").click()');
  await tab.until(`${shown}.join() === "5.1-training-data-and-batching"`, 10);
  await tab.send('Emulation.setScriptExecutionDisabled', {value: false});
}

function isPrinted(file) {
  const pdf = fs.readFileSync(file, 'latin1'), pages = pdf.match(/\/Type \/Page\b/g)?.length ?? 0;
  assert.ok(pdf.startsWith('%PDF') && pages > 120 && pdf.includes('/Outlines'), `${file}: ${pages} pages`);
  console.log(`${file}: ${pages} pages, ${pdf.length} bytes`);
}

async function visit(command, book, options, read) {
  const tab = await Tab.open(command, book, options);
  try {
    await read(tab);
    assert.deepEqual(tab.console, [], 'the console is not empty');
    const foreign = tab.requests.filter(url => !url.startsWith('data:') && !url.endsWith(path.basename(book)));
    assert.deepEqual(foreign, [], 'the book asks for other files');
  } finally {
    await tab.close();
  }
}

async function main([command, book, docs]) {
  const bytes = fs.statSync(book).size;
  console.log(`${book}: ${bytes} bytes`);
  assert.ok(bytes < 4e6, 'the book is larger than 4 MB');
  const pages = pagesOf(docs);
  await visit(command, book, {}, opensSoon);
  let ids;
  await visit(command, book, {width: 1200}, async tab => {
    ids = await tab.value(all('article', 'e.id'));
    assert.equal(ids.length, pages.length);
    await showsFormulas(tab, pages);
    await linksResolve(tab);
    await showsPictures(tab, pages);
    await namesSources(tab, pages);
    await hasGlyphs(tab);
    await hasNames(tab);
    await fits(tab, ids);
  });
  await visit(command, book, {width: 390, height: 844, dark: true}, async tab => {
    assert.equal(await tab.value('getComputedStyle(document.body).backgroundColor'), 'rgb(13, 17, 23)', 'not dark');
    await fits(tab, ids);
  });
  await visit(command, book, {width: 1200}, withTheKeyboard);
  await visit(command, book, {width: 390}, withoutScripts);
  isPrinted(book.replace(/html$/, 'pdf'));
  console.log('the book does what it promises');
}

process.exitCode = 1;  // should the browser die, node would end without an error
main(process.argv.slice(2)).then(() => process.exitCode = 0);
