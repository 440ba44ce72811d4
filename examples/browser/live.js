// ---- change a number: stands behind the script of the step page, in a frame of the tab, whose engine computes

// Asks the tab. Its answer has the data of the new trace.
let asked = 0;
const waiting = new Map();
function ask(request) {
  const number = ++asked;
  parent.postMessage({number, request}, '*');
  return new Promise((resolve, reject) => waiting.set(number, {resolve, reject}));
}
addEventListener('message', ({source, data: {number, answer, error}}) => {
  if (source !== parent || !waiting.has(number)) return;
  const {resolve, reject} = waiting.get(number);
  waiting.delete(number);
  error === undefined ? resolve(answer) : reject(new Error(error));
});

function say(text, isFailure = false) {
  byId('live-status').textContent = text;
  byId('live-status').classList.toggle('failed', isFailure);
}

// What is different now, in words.
function changesInWords() {
  const changed = tensors.filter(tensor => tensor.changed > 0);
  if (changed.length === 0) return 'No number changed.';
  return `${changed.length} of ${tensors.length} tensors changed, the first is ${changed[0].name}.`;
}
function lossInWords() {
  const {values: [now], before} = tensors[numberOf.get('loss')], text = value => printed(rounded(value, 4));
  return before && before[0] !== now ? `Loss ${text(before[0])} \u2192 ${text(now)}.` : `Loss ${text(now)}.`;
}
const writesInWords = ({writes, target}) => writes === target ? '' : `The model now writes: \u201c${writes}\u201d.`;

function receive(answer, describe) {
  showAfter(answer.data);
  if (document.activeElement !== byId('live-target') || byId('live-target').value === '') byId('live-target').value = answer.target;
  const sentences = [describe(answer), ...answer.notes.map(note => note + '.'), changesInWords(), lossInWords(), writesInWords(answer)];
  say(sentences.filter(each => each).join(' '));
  byId('live-next').disabled = !tensors.some(tensor => tensor.changed > 0);
}

// What the change of the code replaced is what the code pane shows, from the answer on.
async function changeNow(request, describe, replaced = replacements) {
  document.body.setAttribute('aria-busy', 'true');
  say('Computing \u2026');
  try {
    const answer = await ask(request);
    replacements = replaced;
    receive(answer, describe);
    byId('live').classList.add('touched');
  } catch (error) {
    say(error.message, true);
  }
  document.body.removeAttribute('aria-busy');
}
let turn = Promise.resolve();
const change = (...parts) => turn = turn.then(() => changeNow(...parts));  // one after the other
byId('live').addEventListener('keydown', event => {
  if (event.repeat && event.key === 'Enter') event.preventDefault();  // a key held down asks once
});

// ---- words

byId('live-words').addEventListener('submit', event => {
  event.preventDefault();
  const source = byId('live-source').value.trim(), target = byId('live-target').value.trim();
  change({source, target}, () => target ? 'Computed anew.' : 'Computed anew, with the German that the model writes.');
});

// ---- a weight

const nameOfCell = (tensor, offset) => `${tensor.shortName}[${indicesOf(tensor, offset).join(', ')}]`;
function showWeight() {
  const tensor = tensors[step], learned = isLearned(tensor);
  byId('live-value').disabled = byId('live-set').disabled = !learned;
  byId('live-cell').textContent = learned ? nameOfCell(tensor, chosen) : 'a computed number';
  byId('live-value').value = learned ? printed(rounded(tensor.values[chosen], 7)) : '';
  const weight = tensors.findIndex((each, number) => isLearned(each) && number >= step);
  byId('live-to-weight').hidden = learned || weight < 0;
  if (weight >= 0) byId('live-to-weight').href = addressOf(weight);
}
document.addEventListener('chosen', showWeight);
byId('live-weight').addEventListener('submit', event => {
  event.preventDefault();
  const tensor = tensors[step], text = byId('live-value').value.trim().replace('\u2212', '-').replace(',', '.');
  const value = Number(text), name = nameOfCell(tensor, chosen);
  if (text === '' || !Number.isFinite(value)) return say(`\u201c${text}\u201d is no number. Write one such as -0.25.`, true);
  change({tensor: tensor.name, offset: chosen, value}, () => `${name} is ${printed(value)}.`);
});

// ---- training

// "700 of 724 weights moved, by at most 0.001."
function movesInWords() {
  const moves = tensors.filter(tensor => isLearned(tensor) && tensor.before).flatMap(tensor =>
    Array.from(tensor.values, (value, i) => Math.abs(value - tensor.before[i])));
  const moved = moves.filter(move => move > 0), largest = moved.reduce((most, move) => Math.max(most, move), 0);
  return `${moved.length} of ${moves.length} weights moved, by at most ${printed(rounded(largest, 3))}.`;
}
byId('live-train').addEventListener('click', () =>
  change({train: Number(byId('live-rate').value.replace(',', '.'))}, answer => `Step ${answer.steps} of training: ${movesInWords()}`));

// ---- break it

// For each bug the lines of the sources that it replaces, as `course run --bug` does.
const editsOf = JSON.parse(byId('live-edits').textContent);

// The root and the mask are switched off by two of the bugs.
const partSwitches = {'live-root': 'attention-no-scale', 'live-mask': 'decoder-not-causal'};
function switchBugs() {
  const off = Object.entries(partSwitches).filter(([id]) => !byId(id).checked).map(([, name]) => name);
  const {value, options} = byId('live-bugs');
  const bugs = [...new Set([...off, ...(value ? [value] : [])])];
  const says = name => Array.from(options).find(option => option.value === name).textContent;
  change({bugs}, () => bugs.length ? `Broken: ${bugs.map(says).join('; ')}.` : 'Sound again.', bugs.flatMap(name => editsOf[name]));
}
for (const id of ['live-bugs', ...Object.keys(partSwitches)]) byId(id).addEventListener('change', switchBugs);

// ---- the ways between the tensors, and between the changes

addEventListener('click', event => {  // Chromium opens no link within a frame of a page from the disk
  const link = event.target.closest('a[href^="#"]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  followAddress(link.getAttribute('href'), {});
});

function goToNextChange() {
  const order = [...tensors.keys()].map(i => (step + 1 + i) % tensors.length);
  const next = order.find(number => tensors[number].changed > 0);
  if (next === undefined) return;
  const first = tensors[next].values.findIndex((value, i) => hasChanged(tensors[next], i));
  go(next, Math.max(0, first));
}
byId('live-next').addEventListener('click', goToNextChange);
keys.n = goToNextChange;
byId('live-anew').addEventListener('click', () => {
  byId('live-bugs').value = '';  // now: a switch that is moved before the answer comes after it
  for (const id of Object.keys(partSwitches)) byId(id).checked = true;
  change({anew: true, bugs: []}, answer => {
    byId('live-source').value = data.about.source;
    byId('live-target').value = answer.target;
    return 'As at the beginning.';
  }, []);
});

// On a phone one way of changing is open at a time.
for (const button of byId('live-ways').children) button.addEventListener('click', () => {
  const isOpen = button.ariaExpanded === 'true';
  for (const each of byId('live-ways').children) {
    each.ariaExpanded = String(each === button && !isOpen);
    byId(each.getAttribute('aria-controls')).classList.toggle('open', each === button && !isOpen);
  }
});

// ---- the beginning

byId('live-source').value = data.about.source;
byId('live-target').value = data.about.target;
byId('live-next').disabled = true;
showWeight();
say('Change a word or a weight: forward and backward are computed anew, here, by the C++ that the page quotes.');
