// ---- the page: which step, which cell, and the ways between them

let step = 0, chosen = 0;  // the number of the tensor, and the offset of the chosen cell

// ---- the arithmetic of a cell, and what it was made from

function numberLink(part, digits, before) {
  const text = operandText(part, digits, before), from = tensors[part.tensor];
  const link = element('a', {href: addressOf(part.tensor, part.offset), textContent: text,
                             title: `${from.name}: ${placeInWords(from, part.offset)}`});
  link.dataset.tensor = part.tensor;
  link.dataset.offset = part.offset;
  return link;
}

function explain(offset) {
  const tensor = tensors[step], box = byId('arithmetic');
  const value = printed(shown(tensor, tensor.values[offset]));
  const place = element('span', {className: 'place'}, element('code', {textContent: tensor.shortName}), ' at ',
                        isolated(placeInWords(tensor, offset)), ' is ' + value);
  if (hasChanged(tensor, offset)) place.append(wasText(tensor, offset));
  if (tensor.formula === undefined) {
    const origin = tensor.name.endsWith('.ids') ? 'its line in the vocabulary' : 'learned, not computed';
    box.replaceChildren(place, element('p', {className: 'sum'}, element('b', {textContent: value}), ', ' + origin));
    return;
  }
  const {parts, digits, agrees} = arithmetic(tensor, offset);
  const line = element('p', {className: 'sum'});
  let text = '';
  for (const part of parts) {
    line.append(typeof part === 'string' ? part : numberLink(part, digits, text));
    text += typeof part === 'string' ? part : operandText(part, digits, text);
  }
  const own = evaluate(tensor.formula, namedIndices(tensor, offset), exact), isOff = Math.abs(own - tensor.values[offset]) > tensor.largest / 1000;
  line.append(agrees ? ' = ' : isOff ? ' = ' + printed(shown(tensor, own)) + ' \u2260 ' : ' \u2248 ', element('b', {textContent: value}));
  const why = reason(tensor, offset);
  box.replaceChildren(place, line, ...(why ? [element('p', {className: 'soft', textContent: why})] : []));
}

// ", was 0.590 (+0.001)": what a change of the model did to the cell.
function wasText(tensor, offset) {
  const now = tensor.values[offset], before = tensor.before[offset], by = rounded(now - before, 3);
  return printed(`, was ${shown(tensor, before)} (${by > 0 ? '+' : ''}${by})`);
}

// The tensors that the cell was made from, its cells lit.
function drawOperands(offset) {
  const figures = [...operandsOf(tensors[step], offset)].map(([number, lit]) => {
    const tensor = tensors[number], tables = tablesOf(tensor, lit.values().next().value, 16);
    for (const cell of tables.querySelectorAll('td[data-offset]'))
      cell.classList.toggle('lit', lit.has(Number(cell.dataset.offset)));
    const link = element('a', {href: addressOf(number), textContent: tensor.name});
    const figure = element('figure', {}, element('figcaption', {}, link), element('div', {className: 'scroll'}, tables));
    figure.dataset.tensor = number;
    return figure;
  });
  const heading = element('h2', {textContent: figures.length ? 'Made from' : ''});
  byId('operands').replaceChildren(heading, element('div', {className: 'figures'}, ...figures));
  for (const figure of figures) reveal(figure.querySelector('.scroll'), figure.querySelector('.lit'));
  markCuts();
}

// Where the window cuts a table, a formula or code, its edge fades.
const wideOnes = '.scroll, pre', markCut = box => box.classList.toggle('cut', box.scrollWidth > box.clientWidth + box.scrollLeft + 1);
const markCuts = () => document.querySelectorAll(wideOnes).forEach(markCut);
addEventListener('resize', markCuts);
addEventListener('scroll', ({target}) => {
  if (target.matches?.(wideOnes)) markCut(target);
}, true);

// Scrolls a wide table sideways until the cell is in it.
function reveal(box, cell) {
  if (!cell) return;
  const right = cell.offsetLeft + cell.closest('table').offsetLeft + cell.offsetWidth;
  if (right > box.clientWidth) box.scrollLeft = right - box.clientWidth / 2;
}

function showCell(offset) {
  for (const cell of byId('cells').querySelectorAll('td[data-offset]')) {
    const isChosen = Number(cell.dataset.offset) === offset;
    cell.classList.toggle('chosen', isChosen);
    cell.tabIndex = isChosen ? 0 : -1;
  }
  explain(offset);
  drawOperands(offset);
}

// ---- a step

const addressOf = (number, offset) =>
    '#' + tensors[number].name + (offset ? ':' + indicesOf(tensors[number], offset).join(',') : '');

// A browser refuses an address after some hundred in half a minute: the page goes on under the last one.
function record(change) {
  try {
    history[change](null, '', addressOf(step, chosen));
  } catch (error) {
    if (error.name !== 'SecurityError') throw error;
  }
}

// Shows a tensor. Its cells flash row by row, as they were written.
function go(number, offset = 0, {keep = false} = {}) {
  step = Math.max(0, Math.min(tensors.length - 1, number));
  chosen = offset;
  const tensor = tensors[step];
  record(keep ? 'replaceState' : 'pushState');
  byId('name').textContent = tensor.name;
  byId('name').href = addressOf(step);
  byId('shape').textContent = tensor.axes.map(([name, extent]) => `${name}=${extent}`).join(', ');
  byId('path').textContent = tensor.path.join(' / ');
  drawTensor(true);
  drawTools();
  drawPart(tensor);
  drawPaper(tensor);
  drawCode(data.notes[tensor.note]);
  lightFigure(tensor);
  markCuts();
  document.dispatchEvent(new Event('chosen'));
}

function drawTensor(isNew) {
  const tables = tablesOf(tensors[step], chosen);
  tables.classList.toggle('written', isNew);
  byId('cells').replaceChildren(tables);
  showCell(chosen);
  reveal(byId('cells'), byId('cells').querySelector('.chosen'));
}

function drawTools() {
  byId('count').textContent = `step ${step + 1} of ${tensors.length}`;
  byId('progress').max = tensors.length;
  byId('progress').value = step + 1;
  byId('steps').value = step;
  byId('first').disabled = byId('back').disabled = step === 0;
  byId('last').disabled = byId('next').disabled = step === tensors.length - 1;
  byId('forward').disabled = tensors[step].path[0] === 'Forward';
  byId('backward').disabled = tensors[step].path[0] === 'Backward';
}

function drawPart(tensor) {
  const same = tensors.filter(each => each.path.join() === tensor.path.join());
  const isAlone = each => same.filter(({shortName}) => shortName === each.shortName).length === 1;
  const links = same.map(each => {
    const name = isAlone(each) ? each.shortName : each.name;
    const link = element('a', {href: addressOf(numberOf.get(each.name)), textContent: name});
    if (each === tensor) link.setAttribute('aria-current', 'step');
    link.classList.toggle('changed', each.changed > 0);
    return link;
  });
  byId('part').replaceChildren(element('h2', {textContent: `All of ${tensor.path[2]}`}), element('div', {className: 'chips'}, ...links));
}

function drawPaper(tensor) {
  const note = data.notes[tensor.note], template = byId('paper-' + note.paper);
  byId('paper').querySelector('h2').textContent = 'The paper, section ' + tensor.section;
  byId('sentence').textContent = note.sentence;
  byId('quote').replaceChildren(...(template ? [template.content.cloneNode(true)] : []));
  byId('formula').replaceChildren(element('p', {className: 'soft', textContent: 'This step: ' + tensor.equation}),
                                  ...(tensor.formula === undefined ? [] : [element('div', {className: 'scroll', tabIndex: 0}, equationOf(tensor))]));
}

// ---- ways between the steps

// The block of a tensor: a layer, an input or the prediction. Up and down lead to the same tensor of the next block of
// this pass, or to its first.
function goToBlock(distance) {
  const [pass, own] = tensors[step].path;
  const blocks = [...new Set(tensors.filter(tensor => tensor.path[0] === pass).map(tensor => tensor.path[1]))];
  const block = blocks[blocks.indexOf(own) + distance];
  if (block === undefined) return;
  const within = name => name.replace(/^(encoder|decoder)\.\d+\.|^(source|target)\./, '');
  const inBlock = tensor => tensor.path[0] === pass && tensor.path[1] === block;
  const same = tensors.findIndex(tensor => inBlock(tensor) && within(tensor.name) === within(tensors[step].name));
  go(same >= 0 ? same : tensors.findIndex(inBlock));
}

// The gradient of a tensor, if there is one: that of its name, or that of the sum which it went into.
function gradientOf({name}) {
  const last = name.split('.').pop(), place = name.slice(0, name.length - last.length);
  const layer = name.split('.').slice(0, 2).join('.');
  const candidates = [name + '.grad', place + 'grad_' + last];
  if (last === 'output' && !place.endsWith('_norm.')) candidates.push(place.slice(0, -1) + '_norm.grad_sum');
  if (last === 'output') {
    if (place.includes('self_attention_norm')) candidates.push(layer + '.grad_y');
    if (place.includes('encoder_decoder_attention_norm')) candidates.push(layer + '.grad_z');
    const [stack, index] = layer.split('.');
    candidates.push(`${stack}.${Number(index) + 1}.grad_x`, stack === 'encoder' ? 'grad_memory' : 'grad_decoder_output');
  }
  return numberOf.get(candidates.find(candidate => numberOf.has(candidate)));
}
// To the gradient, or to the first one of the same sub-layer.
function goBackward() {
  const {path} = tensors[step];
  if (path[0] !== 'Forward') return;
  const near = tensors.findIndex(tensor => tensor.path[0] === 'Backward' && tensor.path[1] === path[1] &&
                                           (tensor.path[2] === path[2] || !path[1].includes('layer')));
  go(gradientOf(tensors[step]) ?? near);
}
function goForward() {
  if (tensors[step].path[0] === 'Forward') return;
  const there = tensors.findIndex(tensor => tensor.path[0] === 'Forward' && gradientOf(tensor) === step);
  const {path} = tensors[step];
  const near = tensors.findIndex(tensor => tensor.path[0] === 'Forward' && tensor.path[1] === path[1] && tensor.path[2] === path[2]);
  go([there, near, numberOf.get('embedding')].find(number => number >= 0));
}

function followAddress(address = location.hash, options = {keep: true}) {
  const [name, cell] = address.slice(1).split(':'), number = numberOf.get(name);
  if (number === undefined) return go(0, 0, options);
  const indices = (cell || '').split(',').map(Number), tensor = tensors[number];
  const isCell = indices.length === tensor.axes.length && indices.every((index, axis) => Number.isInteger(index) && index >= 0 && index < tensor.axes[axis][1]);
  go(number, isCell ? offsetOf(tensor, indices) : 0, options);
}

// ---- the pointer and the keys

const cellOf = target => target.closest?.('td[data-offset]');
byId('cells').addEventListener('pointerover', event => {
  const cell = cellOf(event.target);
  if (cell && event.pointerType === 'mouse') showCell(Number(cell.dataset.offset));
});
byId('cells').addEventListener('pointerleave', () => showCell(chosen));
byId('cells').addEventListener('click', event => {
  const cell = cellOf(event.target);
  if (cell) choose(Number(cell.dataset.offset));
});
function choose(offset) {
  chosen = offset;
  record('replaceState');
  const find = () => byId('cells').querySelector(`td[data-offset="${chosen}"]`);
  if (find()) showCell(chosen);
  else drawTensor(false);
  find().focus();
  document.dispatchEvent(new Event('chosen'));
}
byId('operands').addEventListener('click', event => {
  const cell = cellOf(event.target);
  if (cell) go(Number(cell.closest('figure').dataset.tensor), Number(cell.dataset.offset));
});
// A number of the arithmetic and its cell light each other.
byId('arithmetic').addEventListener('pointerover', event => light(event.target.closest('a')));
byId('arithmetic').addEventListener('focusin', event => light(event.target.closest('a')));
byId('arithmetic').addEventListener('pointerleave', () => light(null));
function light(link) {
  for (const cell of byId('operands').querySelectorAll('.now')) cell.classList.remove('now');
  if (!link) return;
  const cell = byId('operands').querySelector(`figure[data-tensor="${link.dataset.tensor}"] td[data-offset="${link.dataset.offset}"]`);
  if (cell) cell.classList.add('now');
}

function moveInTable(key) {
  const tensor = tensors[step], [matrix, row, column] = placeOf(tensor, chosen);
  const to = {ArrowLeft: [0, 0, -1], ArrowRight: [0, 0, 1], ArrowUp: [0, -1, 0], ArrowDown: [0, 1, 0],
              PageUp: [-1, 0, 0], PageDown: [1, 0, 0]}[key];
  if (to) {
    const at = [matrix + to[0], row + to[1], column + to[2]];
    const inside = [tensor.matrices, tensor.rows, tensor.columns].every((count, axis) => at[axis] >= 0 && at[axis] < count);
    if (inside) choose((at[0] * tensor.rows + at[1]) * tensor.columns + at[2]);
    return true;
  }
  if (key === 'Home' || key === 'End') {
    choose((matrix * tensor.rows + row) * tensor.columns + (key === 'Home' ? 0 : tensor.columns - 1));
    return true;
  }
  if (key === 'Escape') {
    document.activeElement.blur();
    return true;
  }
  if (key !== 'Enter') return false;
  const first = operandsOf(tensor, chosen).entries().next();
  if (!first.done) {
    go(first.value[0], first.value[1].values().next().value);
    choose(chosen);
  }
  return true;
}
const keys = {
  ArrowRight: () => go(step + 1), ArrowLeft: () => go(step - 1), ArrowDown: () => goToBlock(1), ArrowUp: () => goToBlock(-1),
  Home: () => go(0), End: () => go(tensors.length - 1), f: goForward, b: goBackward, Enter: () => choose(chosen),
};
addEventListener('keydown', event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('select, input')) return;
  const inTable = byId('cells').contains(event.target) && cellOf(event.target);
  const box = event.target.closest('pre, .scroll');
  const scrolls = box && !inTable && event.key.startsWith('Arrow') &&
      (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight);
  const presses = event.key === 'Enter' && event.target.closest('button, a');
  if (scrolls || (presses && !inTable)) return;
  if (inTable && moveInTable(event.key)) return event.preventDefault();
  if (!(event.key in keys)) return;
  keys[event.key]();
  event.preventDefault();
});

// ---- the beginning

function fillSteps() {
  const groups = [];
  tensors.forEach((tensor, number) => {
    const name = tensor.path.join(' / ');
    if (groups.at(-1)?.label !== name) groups.push(element('optgroup', {label: name}));
    groups.at(-1).append(element('option', {value: number, textContent: tensor.name + (tensor.changed > 0 ? ' \u25e5' : '')}));
  });
  byId('steps').replaceChildren(...groups);
}
function drawAbout() {
  const {source, target, target_is, loss, model} = data.about;
  byId('about').replaceChildren(element('b', {}, isolated(source || '(empty)')), ' \u2192 ', element('b', {}, isolated(target || '(empty)')));
  byId('facts').replaceChildren(`The target is ${target_is}. Loss: ${loss}. Model: `, isolated(model));
}
// Where most readers want to go first, forward and back.
function drawBegin() {
  const places = {'an attention weight': 'decoder.0.encoder_decoder_attention.weights',
                  'its gradient': 'decoder.0.encoder_decoder_attention.grad_weights',
                  'what a mask hides': 'decoder.0.self_attention.mask', 'the loss': 'loss',
                  'the gradient of a learned number': 'encoder.0.self_attention.w_q.grad'};
  const links = Object.entries(places).filter(([, name]) => numberOf.has(name))
      .map(([textContent, name]) => element('a', {href: addressOf(numberOf.get(name)), textContent}));
  byId('begin').querySelector('.chips').replaceChildren(...links);
}
function listenToTools() {
  byId('steps').addEventListener('change', event => go(Number(event.target.value)));
  byId('more').addEventListener('click', () =>
    byId('more').setAttribute('aria-expanded', byId('tools').classList.toggle('unfolded')));
  const press = {first: keys.Home, back: keys.ArrowLeft, next: keys.ArrowRight, last: keys.End, up: keys.ArrowUp,
                 down: keys.ArrowDown, forward: goForward, backward: goBackward};
  for (const [id, action] of Object.entries(press)) byId(id).addEventListener('click', action);
  byId('forward').addEventListener('click', () => byId('backward').focus());  // for a disabled one loses the focus
  byId('backward').addEventListener('click', () => byId('forward').focus());
}
// Shows another trace, at the same place.
function showAfter(newData) {
  const {name} = tensors[step], cell = chosen;
  readAfter(newData);
  fillSteps();
  drawAbout();
  const number = numberOf.get(name) ?? 0;
  go(number, cell < tensors[number].size ? cell : 0, {keep: true});
}
listenToTools();
fillSteps();
drawAbout();
drawBegin();
drawFigure();
followAddress();
addEventListener('hashchange', () => followAddress());
