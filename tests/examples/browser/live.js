'use strict';
// Changes words, weights and parts of a model in the tab, and compares all numbers with those of the program:
//   node live.js CHROMIUM plainformer.html PROGRAM SOURCE FOLDER
const assert = require('assert'), fs = require('fs'), path = require('path'), {spawnSync} = require('child_process');
const {Tab} = require('./tab.js');

const [command, page, program, root, folder] = process.argv.slice(2);
const clause = 'that the queen buys a book', translation = 'dass die Königin ein Buch kauft';
const pageModel = path.join(root, 'docs/page-model');

function run(...args) {
  const {status, stdout, stderr} = spawnSync(program, args, {encoding: 'utf8', maxBuffer: 1 << 28});
  assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

// The tensors of `plainformer trace`, with their values.
function traced(model, source, target) {
  const html = run('trace', '--steps', '-', '--model', model, '--source', source, '--target', target);
  const data = JSON.parse(html.match(/<script type="application\/json" id="data">(.*?)<\/script>/s)[1]);
  const bytes = Buffer.from(data.values, 'base64');
  let begin = 0;
  return data.tensors.map(({name, axes}) => {
    const size = axes.reduce((product, axis) => product * axis[1], 1);
    const values = Array.from({length: size}, (_, i) => bytes.readFloatLE(4 * (begin + i)));
    begin += size;
    return {name, values};
  });
}

// A copy of the page model with one other weight. (Without the checksum, which would no longer be right.)
function withWeight(name, offset, value) {
  const copy = path.join(folder, 'changed');
  fs.cpSync(pageModel, copy, {recursive: true});
  const file = path.join(copy, 'model.safetensors'), bytes = fs.readFileSync(file), length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString()), body = bytes.subarray(8 + length);
  delete header.__metadata__.checksum;
  body.writeFloatLE(value, header[name].data_offsets[0] + 4 * offset);
  const text = Buffer.from(JSON.stringify(header)), size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(text.length));
  fs.writeFileSync(file, Buffer.concat([size, text, body]));
  return copy;
}

// A step of 0.001: with one step of warm-up, the rate is the scale over the root of d_model, 6.
function trainedOneStep() {
  const pairs = path.join(folder, 'clause.tsv'), out = path.join(folder, 'next');
  fs.writeFileSync(pairs, `${clause}\t${translation}\n`);
  run('train', '--plain', '--preset', 'page', '--from', pageModel, '--pairs', pairs, '--steps', '1', '--warmup', '1',
      '--learning-rate-scale', String(0.001 * Math.sqrt(6)), '--label-smoothing', '0', '--out', out, '--overwrite');
  return out;
}

// The two C libraries may differ in the last bit of a double.
async function agrees(frame, expected) {
  const own = await frame.value('tensors.map(({name, values}) => ({name, values: Array.from(values)}))');
  assert.deepEqual(own.map(({name}) => name), expected.map(({name}) => name));
  own.forEach(({name, values}, number) => {
    const wanted = expected[number].values, largest = Math.max(...wanted.map(Math.abs));
    assert.equal(values.length, wanted.length, name);
    values.forEach((value, i) =>
      assert.ok(Math.abs(value - wanted[i]) <= 2e-6 * Math.max(1, largest), `${name}, cell ${i}: ${value}, not ${wanted[i]}`));
  });
}

const status = 'byId("live-status").textContent';
const idle = '!document.body.hasAttribute("aria-busy")';
const cell = (name, offset) => `tensors[numberOf.get("${name}")].values[${offset}]`;

async function write(frame, id, text) { await frame.value(`byId("${id}").value = ${JSON.stringify(text)}, byId("${id}").focus()`); }
async function click(frame, id) {
  await frame.value(`byId("${id}").click()`);
  await frame.until(idle);
}
async function choose(frame, id, value) {
  await frame.value(`byId("${id}").value = "${value}", byId("${id}").dispatchEvent(new Event("change"))`);
  await frame.until(idle);
}

async function words(tab, frame) {
  await agrees(frame, traced(pageModel, clause, translation));
  await write(frame, 'live-source', 'the queen buys the book');
  await tab.press('Enter');
  await frame.until(`/Computed anew/.test(${status})`);
  await agrees(frame, traced(pageModel, 'the queen buys the book', translation));
  await write(frame, 'live-source', 'the zebra buys the book');
  await tab.press('Enter');
  await frame.until(`/never saw/.test(${status})`);
  assert.match(await frame.value(status), /English: the model never saw z r and reads <unk> instead\./);
  await write(frame, 'live-target', '');
  await tab.press('Enter');
  await frame.until(`/that the model writes/.test(${status})`);
  assert.notEqual(await frame.value('byId("live-target").value'), '');
  await write(frame, 'live-source', '<img src=x> "& \u05e9');
  await tab.press('Enter');
  await frame.until(`/never saw < m r/.test(${status})`);
  assert.match(await frame.value('byId("about").textContent'), /^<img src=x> "& \u05e9 /);
  assert.equal(await frame.value('document.querySelector("img")'), null);
  await click(frame, 'live-anew');
  await agrees(frame, traced(pageModel, clause, translation));
}

async function links(frame) {
  const follow = link => frame.value(`document.querySelector("${link}").click(), tensors[step].name`);
  assert.equal(await follow('#part a:nth-child(3)'), 'source.embedding');
  assert.equal(await follow('#begin a'), 'decoder.0.encoder_decoder_attention.weights');
}

async function weights(tab, frame) {
  await frame.value('go(numberOf.get("encoder.0.self_attention.w_q"), 1)');
  assert.equal(await frame.value('byId("live-cell").textContent'), 'w_q[0, 1]');
  await write(frame, 'live-value', '-0.5');
  await tab.press('Enter');
  await frame.until(`/w_q\\[0, 1\\] is \u22120\\.5/.test(${status})`);
  await agrees(frame, traced(withWeight('encoder.0.self_attention.w_q', 1, -0.5), clause, translation));
  assert.match(await frame.value(status), /\d+ of 191 tensors changed, the first is encoder\.0\.self_attention\.w_q\. Loss 0\.\d+ \u2192 /);
  assert.match(await frame.value('byId("arithmetic").textContent'), /is \u22120\.500, was \u2212?\d\.\d+ \(/);
  assert.equal(await frame.value('byId("cells").querySelectorAll(".changed").length'), 1);
  await click(frame, 'live-next');
  assert.equal(await frame.value('tensors[step].name'), 'encoder.0.self_attention.q');
  assert.equal(await frame.value('byId("live-set").disabled'), true, 'a computed number cannot be set');
  await frame.value('go(numberOf.get("encoder.0.self_attention.w_q"), 1)');
  await write(frame, 'live-value', 'much');
  await tab.press('Enter');
  await frame.until(`/is no number/.test(${status})`);
  await click(frame, 'live-anew');
}

async function training(frame) {
  await click(frame, 'live-train');
  assert.match(await frame.value(status), /^Step 1 of training: \d{3} of \d{3} weights moved, by at most 0\.001\. /);
  await agrees(frame, traced(trainedOneStep(), clause, translation));
  await write(frame, 'live-rate', 'none');
  await click(frame, 'live-train');
  assert.match(await frame.value(status), /this is no learning rate/);
  await write(frame, 'live-rate', '0.0001');
  await click(frame, 'live-anew');
  await agrees(frame, traced(pageModel, clause, translation));
  await click(frame, 'live-train');
  const [, before, after] = /by at most 0\.0001\. .* Loss ([\d.]+) \u2192 ([\d.]+\d)/.exec(await frame.value(status));
  assert.ok(Number(after) < Number(before), 'a small step makes the loss fall');
  await click(frame, 'live-anew');
}

// Where each bug is seen first; null: the small model shows it only after a step of training.
const seenFirst = {
  'attention-no-scale': 'encoder.0.self_attention.scores', 'decoder-not-causal': 'decoder.0.self_attention.mask',
  'mask-shows-the-next-token': 'decoder.0.self_attention.mask', 'mask-and-dropout-unused': 'decoder.0.self_attention.mask',
  'target-not-shifted': 'target_probability', 'no-positions': 'source.input', 'embedding-no-root': 'source.scaled',
  'heads-reshape-without-swap': 'encoder.0.self_attention.q', 'query-and-key-exchanged': 'encoder.0.self_attention.q',
  'residual-missing': 'encoder.0.self_attention_norm.sum', 'residual-norm-before-sum': 'encoder.0.self_attention_norm.sum',
  'layer-norm-mean-as-a-constant': 'decoder.0.feed_forward_norm.grad_sum', 'tied-gradient-lost': 'embedding.grad',
  'encoder-layer-value-path-lost': 'encoder.0.grad_x', 'memory-gradient-lost': null, 'adam-no-correction': null,
  'rate-no-d-model': null, 'loss-summed': null, 'gradients-not-zeroed': null, 'dropout-at-inference': null};

async function bugs(frame) {
  const offered = await frame.value('Array.from(byId("live-bugs").options).filter(({value, disabled}) => value && !disabled)' +
      '.map(option => option.value)');
  assert.deepEqual(offered, Object.keys(seenFirst));
  const others = await frame.value('Array.from(byId("live-bugs").options).filter(({disabled}) => disabled).map(({text}) => text)');
  assert.equal(others.length + offered.length, 24);
  for (const text of others) assert.match(text, / \(.* (padding|dropout|shape) ?.*\)$/, 'it does not say why it is not here');
  const first = 'tensors.find(tensor => tensor.changed > 0)?.name ?? null';
  for (const [name, expected] of Object.entries(seenFirst)) {
    await choose(frame, 'live-bugs', name);
    assert.match(await frame.value(status), /^Broken: /);
    assert.equal(await frame.value(first), expected, name);
    assert.ok(await frame.value('byId("functions").querySelectorAll(".sound").length') > 0, `${name} is not in the code pane`);
    await choose(frame, 'live-bugs', '');
    assert.match(await frame.value(status), /^Sound again\. /);
    assert.equal(await frame.value('byId("functions").querySelectorAll(".sound, .broken").length'), 0);
  }
  await agrees(frame, traced(pageModel, clause, translation));
  await choose(frame, 'live-bugs', 'dropout-at-inference');
  assert.match(await frame.value(status), /The model now writes: /);
  await choose(frame, 'live-bugs', '');

  // The root and the mask have switches of their own; the arithmetic says what the paper's formula would give.
  await click(frame, 'live-root');
  assert.ok(await frame.value(`${cell('encoder.0.self_attention.scores', 1)} === ${cell('encoder.0.self_attention.products', 1)}`));
  await frame.value('go(numberOf.get("encoder.0.self_attention.scores"), 1)');
  assert.match(await frame.value('byId("arithmetic").textContent'), / \u2260 /);
  const without = await frame.value('Array.from(byId("functions").querySelectorAll(".sound"), line => line.textContent.trim())');
  assert.ok(without.some(line => line.endsWith('scores(e) /= root;')), JSON.stringify(without));
  await click(frame, 'live-mask');
  assert.equal(await frame.value(cell('decoder.0.self_attention.mask', 1)), 1);
  await frame.value('byId("live-root").click(), byId("live-mask").click()');  // the second while the first is computed
  await frame.until(idle);
  assert.match(await frame.value(status), /^Sound again\. /);
  await click(frame, 'live-anew');
  await agrees(frame, traced(pageModel, clause, translation));
}

// The gradients of the last step of training are still there when the next pass adds to them. A step takes the mean over the
// tokens, the page's pass their sum.
async function addedGradients(frame) {
  const gradient = 'Array.from(tensors[numberOf.get("embedding.grad")].values)', tokens = 7;
  const first = await frame.value(gradient);
  await click(frame, 'live-train');
  const second = await frame.value(gradient);
  await choose(frame, 'live-bugs', 'gradients-not-zeroed');
  const sum = await frame.value(gradient);
  sum.forEach((value, i) => assert.ok(Math.abs(value - first[i] / tokens - second[i]) < 1e-5, `cell ${i}: ${value}`));
  await click(frame, 'live-anew');
  assert.deepEqual(await frame.value(gradient), first);
}

// On a phone one way of changing is open at a time, and the tensor is in the first screen.
async function folds(frame) {
  const seen = 'Array.from(document.querySelectorAll(".live-way")).filter(way => way.getClientRects().length).map(way => way.id)';
  assert.deepEqual(await frame.value(seen), []);
  const top = await frame.value('scrollTo(0, 0), byId("cells").getBoundingClientRect().top');
  assert.ok(top < 400, `the tensor begins at ${top}`);
  for (const way of ['live-words', 'live-breaking']) {
    await frame.value(`document.querySelector("[aria-controls=${way}]").click()`);
    assert.deepEqual(await frame.value(seen), [way]);
  }
  await frame.value('document.querySelector("[aria-controls=live-breaking]").click()');
  assert.deepEqual(await frame.value(seen), []);
}

async function theSmallModel(width) {
  const tab = await Tab.open(command, page, {width, height: 800});
  try {
    await tab.until('!document.getElementById("open-small").disabled');
    await tab.value('byId("run").click(), byId("open-small").click()');
    const frame = await tab.inFrame();
    await folds(frame);
    for (const button of [0, 1, 2, 3]) await frame.value(`byId(byId("live-ways").children[${button}].getAttribute("aria-controls")).classList.add("open")`);
    await words(tab, frame);
    await links(frame);
    await weights(tab, frame);
    await training(frame);
    await bugs(frame);
    await addedGradients(frame);
    const [content, window] = await frame.value('[document.documentElement.scrollWidth, innerWidth]');
    assert.ok(content <= window, `the step page is ${content} pixels wide, the phone ${window}`);
    await tab.value('byId("close").click()');
    await tab.until('document.querySelector("iframe") === null', 10);
    assert.match(await tab.value('byId("run").textContent'), /^(Train|Continue)$/, 'the training that waits seems to run');
    assert.deepEqual(tab.console, [], 'the console is not empty');
  } finally {
    await tab.close();
  }
}

// The toy in training: taken apart, without an effect on the training; kept, and forgotten.
async function theToy() {
  const tab = await Tab.open(command, page);
  try {
    await tab.until('!document.getElementById("open-own").disabled');
    await tab.value('byId("step").click()');
    await tab.until('/^Step 1 is made/.test(byId("status").textContent)');
    await tab.value('byId("text").value = "Attention is all you need and the dominant sequence transduction models are based on complex recurrent networks", byId("open-own").click()');
    await tab.until('/^It cannot be shown: the trace: has more than/.test(byId("status").textContent)');
    await tab.value('byId("text").value = "a dog sleeps", byId("open-own").click()');
    const frame = await tab.inFrame();
    assert.match(await frame.value('byId("facts").textContent'), /the toy, training step 1: 2\+2 layers, d_model 128/);
    await click(frame, 'live-train');
    assert.match(await frame.value(status), /^Step 2 of training: /);
    await tab.value('byId("close").click()');
    await tab.value('byId("keep").click()');
    await tab.until('/^Kept after step 1: /.test(byId("kept").textContent)');
    await tab.value('byId("step").click()');
    await tab.until('/^Kept after step 2: /.test(byId("kept").textContent)');
    const losses = await tab.value('lossChart.points');
    await tab.reload();
    await tab.until('/^Ready\\. This is the model of your last visit, after step 2/.test(byId("status").textContent)');
    assert.deepEqual(await tab.value('lossChart.points'), losses);
    await tab.value('byId("step").click()');
    await tab.until('/^Step 3 is made/.test(byId("status").textContent)');
    const third = await tab.value('lossChart.points.at(-1)');
    await tab.value('byId("forget").click()');
    await tab.until('/^Forgotten/.test(byId("kept").textContent)', 20);
    await tab.reload();
    await tab.until('/^Ready\\. So far/.test(byId("status").textContent)');
    for (let i = 1; i <= 3; ++i) {
      await tab.value('byId("step").click()');
      await tab.until(`/^Step ${i} is made/.test(byId("status").textContent)`);
    }
    assert.deepEqual(await tab.value('lossChart.points.at(-1)'), third, 'a run that was kept goes on in another way');
    assert.deepEqual(tab.console, [], 'the console is not empty');
  } finally {
    await tab.close();
  }
}

process.exitCode = 1;  // should the browser die, node would end without an error
fs.mkdirSync(folder, {recursive: true});
theSmallModel(500).then(theToy).then(() => {
  console.log('the tab computes what the program computes, for changed words, weights and parts');
  process.exitCode = 0;
});
