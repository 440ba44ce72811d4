'use strict';
// Uses the page as a reader does, in a headless Chromium: node visit.js CHROMIUM plainformer.html
const assert = require('assert'), {Tab} = require('./tab.js');

const status = 'document.getElementById("status").textContent';
const focused = 'document.activeElement.id || document.activeElement.name';
const text = id => `document.getElementById("${id}").textContent`;
const isReady = '!document.getElementById("run").disabled && document.querySelector("#map table") !== null';

// Presses Tab until the element has the focus, which every reader must be able to see.
async function tabTo(tab, id) {
  for (let i = 0; i < 60 && await tab.value(focused) !== id; ++i) await tab.press('Tab');
  assert.equal(await tab.value(focused), id, `the keyboard does not reach "${id}"`);
  const outline = 'getComputedStyle(document.activeElement.closest(".sentence, .chip") ?? document.activeElement).outlineStyle';
  assert.equal(await tab.value(outline), 'solid', `the focus on "${id}" is not visible`);
}

async function fitsThePhone(tab) {
  const [content, window] = await tab.value('[document.documentElement.scrollWidth, document.documentElement.clientWidth]');
  assert.ok(content <= window, `the page is ${content} pixels wide, the phone ${window}`);
}

// All that a reader does, with the keyboard alone, on a phone's width.
async function withTheKeyboard(tab) {
  await tab.until(isReady);
  await fitsThePhone(tab);
  assert.match(await tab.value(text('steps')), /^0 of 1,000$/);

  await tabTo(tab, 'step');
  await tab.press('Enter');
  await tab.until(`/^Step 1 is made/.test(${status})`);
  assert.match(await tab.value(text('steps')), /^1 of/);
  assert.match(await tab.value(text('loss')), /^8\.84$/);
  assert.match(await tab.value(text('loss-chart')), /the lowest possible: \d/, 'the dashed line has no label');
  assert.match(await tab.value(text('loss-chart')), /^02468/, 'a scale to 9, for a largest loss of 8.84');
  const axis = 'lossChart.points, [50, 1000, 1001, 1500].map(step => Chart.prototype.lastStep.call({points: [[step, 0]]}))';
  assert.deepEqual(await tab.value(axis), [50, 1000, 1500, 1500], 'the axis does not end with the steps');

  await tabTo(tab, 'run');
  await tab.press(' ');
  await tab.until(`/^3 of/.test(${text('steps')})`);
  assert.equal(await tab.value(text('run')), 'Pause');
  await tab.press(' ');
  await tab.until(`/^Paused after step/.test(${status})`);
  const paused = await tab.value(text('steps'));

  await tabTo(tab, 'sentence');
  const before = await tab.value('document.querySelector("#map th[scope=row]").textContent');
  await tab.press('ArrowDown');
  await tab.until(`document.querySelector("#map th[scope=row]").textContent !== ${JSON.stringify(before)}`);
  await tabTo(tab, 'head');
  await tab.press('ArrowRight');
  assert.equal(await tab.value('document.querySelector("[name=head]:checked").value'), '0');
  assert.equal(await tab.value('document.querySelector(".chip:has(:checked)").textContent'), '0', 'heads count from 0');
  const {step: measured, right, of} = {step: 250, right: 47, of: 100}, statusBefore = await tab.value(status);
  await tab.value(`reactions.measure({step: ${measured}, right: ${right}, of: ${of}})`);
  assert.equal(await tab.value(status), statusBefore, 'the status repeats a number that the tile will change');
  assert.match(await tab.value('document.querySelector("div:has(> #exact)").textContent'), /^Exact, step 25047 of 100$/);

  await tabTo(tab, 'text');
  await tab.value('document.activeElement.select()');
  await tab.type('The small cat sleeps zzz');
  await tab.press('Enter');
  await tab.until(`/zzz/.test(${text('answer')})`);
  assert.match(await tab.value(text('answer')), /lacks a piece of The, zzz, and reads <unk> instead/);
  const column = i => tab.value(`document.querySelectorAll("#map th[scope=col]")[${i}].textContent`);
  assert.equal(await column(0) + await column(3), '<unk>cat', 'the map shows what the model reads');
  const sums = 'Array.from(document.querySelectorAll("#map tbody tr:has(.weight)"), row => Array.from(row.querySelectorAll("td"))' +
      '.reduce((sum, cell) => sum + Number(cell.style.getPropertyValue("--w")), 0))';
  for (const sum of await tab.value(sums)) assert.ok(Math.abs(sum - 1) < .05, `the weights of a row sum to ${sum}`);
  assert.equal(await tab.value(text('steps')), paused, 'a paused training goes on');

  // A model that knows nothing finds no end: its map is cut, and says so.
  const [rows, words] = await tab.value('[document.querySelectorAll("#map tbody tr").length, own.rows.length]');
  assert.ok(words > 18, `${words} words are no long translation`);
  assert.equal(rows, 18);
  assert.match(await tab.value('document.querySelector("#map tbody tr:last-child").textContent'),
               new RegExp(`^… and ${words - 17} more words$`));
  await fitsThePhone(tab);

  // The way that the grammar writes the sentence is one key away.
  await tabTo(tab, 'suggestion');
  await tab.value('reactions.translated({...own, isAsked: false})');  // as the training tells it now and then
  assert.equal(await tab.value(focused), 'suggestion', 'the focus is lost while the model learns');
  await tab.press('Enter');
  await tab.until(`document.getElementById("text").value === "the small cat sleeps zzz"`);
  await tab.until(`/^the/.test(document.querySelector("#map th[scope=col]").textContent)`);

  await tabTo(tab, 'suggest');
  await tab.press('Enter');
  await tab.until('document.getElementById("text").value !== "the small cat sleeps zzz"');
  await tabTo(tab, 'restart');
  await tab.press('Enter');
  await tab.until(`/^0 of/.test(${text('steps')}) && ${isReady}`);
  assert.equal(await tab.value(text('answer')), '');

  // An answer that comes while the next training starts.
  await tab.value('document.getElementById("translate").click(), document.getElementById("restart").click()');
  await tab.until(`/^0 of/.test(${text('steps')}) && ${isReady}`);
  await tab.value('document.getElementById("step").click()');
  await tab.until(`/^Step 1 is made/.test(${status})`);
}

async function main([command, page]) {
  const tab = await Tab.open(command, page, {width: 360, height: 780});
  try {
    await withTheKeyboard(tab);
    assert.deepEqual(tab.console, [], 'the console is not empty');
    const foreign = tab.requests.filter(url => !url.startsWith('blob:') && !url.startsWith('data:'));
    assert.equal(foreign.length, 1, `the page asks for other files: ${foreign}`);
  } finally {
    await tab.close();
  }
  console.log('the page does what it promises, with the keyboard alone, 360 pixels wide');
}

process.exitCode = 1;  // should the browser die, node would end without an error
main(process.argv.slice(2)).then(() => process.exitCode = 0);
