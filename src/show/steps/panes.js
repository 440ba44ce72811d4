// ---- the formula of a tensor, as MathML

function math(tag, ...children) {
  const made = document.createElementNS('http://www.w3.org/1998/Math/MathML', tag);
  made.append(...children);
  return made;
}
const operator = text => math('mo', text);
// In parentheses, which grow around fractions alone.
function parenthesized(...children) {
  const made = math('mrow', operator('('), ...children, operator(')'));
  if (!made.querySelector('mfrac')) for (const each of [made.firstChild, made.lastChild]) each.setAttribute('stretchy', 'false');
  return made;
}
const separated = (items, mark) => items.flatMap((item, place) => place ? [operator(mark), item] : [item]);
const indexed = (name, indices) => math('msub', math('mi', name), math('mrow', ...separated(indices, ',')));

// How tightly a node binds: as in write().
const bindings = {'+': 1, '-': 1, sum: 1, negative: 1, '*': 2};
function mathIn(node, level) {
  const made = mathOf(node), own = Array.isArray(node) && node[0] in bindings ? bindings[node[0]] : 3;
  return own >= level ? made : parenthesized(made);
}
function mathOf(node) {
  if (typeof node === 'number') return math('mn', printed(rounded(node, 7)));
  if (typeof node === 'string') return math('mi', node);
  const [kind, ...parts] = node;
  if (typeof kind === 'number') return indexed(tensors[kind].shortName, parts.map(mathOf));
  if (kind === 'sum') return mathOfSum(node);
  if (kind === 'if') return mathOfCases(parts);
  if (kind === 'pick') return indexed(parts[0], [mathOf(parts[1])]);
  if (kind === 'largest') return math('mrow', math('mtext', 'the largest but\u00a0'), mathOf(parts[1]), math('mtext', '\u00a0of all\u00a0'), mathOf(parts[3]));
  if (kind === '/') return math('mfrac', mathOf(parts[0]), mathOf(parts[1]));
  if (kind === 'power') return math('msup', mathIn(parts[0], 3), mathOf(parts[1]));
  if (kind === 'square') return math('msup', mathIn(parts[0], 3), math('mn', '2'));
  if (kind === 'sqrt') return math('msqrt', mathOf(parts[0]));
  if (kind === 'negative') return math('mrow', operator('\u2212'), mathIn(parts[0], 2));
  if (kind === 'div') return math('mrow', operator('\u230a'), mathOf(parts[0]), operator('/'), mathOf(parts[1]), operator('\u230b'));
  if (kind === 'mod') return math('mrow', mathOf(parts[0]), operator('mod'), mathOf(parts[1]));
  if (parts.length === 1)
    return math('mrow', math('mi', kind === 'log' ? 'ln' : kind), parenthesized(mathOf(parts[0])));
  const sign = {'*': '\u00b7', '-': '\u2212'}[kind] || kind, level = kind === '*' ? 2 : 1;
  return math('mrow', mathIn(parts[0], level), operator(sign), mathIn(parts[1], kind === '-' ? 2 : level));
}
function mathOfSum([, index, , summand, condition]) {
  const below = condition === undefined ? [math('mi', index)] : [math('mi', index), operator(':'), mathOf(condition)];
  return math('mrow', math('munder', operator('\u2211'), math('mrow', ...below)), mathIn(summand, 2));
}
function mathOfCases([condition, then, otherwise]) {
  const line = (value, when) => math('mtr', math('mtd', mathOf(value)), math('mtd', when));
  const cases = math('mtable', line(then, math('mrow', math('mtext', 'if\u00a0'), mathOf(condition))),
                     line(otherwise, math('mtext', 'else')));
  return math('mrow', operator('{'), cases);
}
// The whole equation: the cell, and what it is.
function equationOf(tensor) {
  const equation = math('math', math('mrow', indexed(tensor.shortName, tensor.indices.map(index => math('mi', index))),
                                     operator('='), mathOf(tensor.formula)));
  equation.setAttribute('display', 'block');
  return equation;
}

// ---- the code

// What a page that can break the code has replaced, in whole lines: {file, sound: [...], broken: [...]}.
let replacements = [];

// The lines of a function, each with its number and the names of its looks. Replaced ones stay, struck through, before
// those that the program now has. Takes the replacements that it shows out of `left`.
function linesOf({file, line, lines}, first, last, left) {
  const all = lines.map((text, place) =>
    ({text, number: line + place, looks: place >= first && place <= last ? ['lit'] : []}));
  for (const replacement of replacements.filter(each => each.file === file)) {
    const {sound, broken} = replacement;
    const at = all.findIndex((each, place) => sound.every((text, i) => all[place + i]?.text === text));
    if (at < 0) continue;
    left.delete(replacement);
    for (const each of all.slice(at, at + sound.length)) each.looks = ['sound'];
    all.splice(at + sound.length, 0, ...broken.map(text => ({text, number: '', looks: ['broken']})));
  }
  return all;
}
function listingOf(name, lines) {
  const listing = element('pre', {tabIndex: 0}, ...lines.map(({text, number, looks}) => {
    const made = element(looks.includes('sound') ? 's' : 'span', {className: ['line', ...looks].join(' ')});
    made.classList.toggle('comment', /^\s*\/\//.test(text));
    made.append(element('span', {className: 'number', textContent: number, ariaHidden: 'true'}), text + '\n');
    return made;
  }));
  listing.setAttribute('aria-label', name);
  return listing;
}

function drawCode(note) {
  const left = new Set(replacements), titled = (title, listing) =>
      element('div', {}, element('p', {className: 'soft', textContent: title}), listing);
  const functions = note.code.map(([number, first, last]) => {
    const quoted = data.functions[number], {file, symbol, line} = quoted;
    return titled(`${file}, line ${line + first}`, listingOf(`${symbol}, ${file}`, linesOf(quoted, first, last, left)));
  });
  const elsewhere = Array.from(left, ({file, sound, broken}) => titled(`Broken elsewhere, in ${file}`, listingOf(file, [
    ...sound.map(text => ({text, number: '', looks: ['sound']})), ...broken.map(text => ({text, number: '', looks: ['broken']}))])));
  byId('functions').replaceChildren(...functions, ...elsewhere);
  for (const listing of byId('functions').querySelectorAll('pre')) {
    const lit = listing.querySelector('.sound') ?? listing.querySelector('.lit');
    if (lit) listing.scrollTop = lit.offsetTop - 40;
  }
}

// ---- Figure 1

// The boxes of a stack: the title that is drawn, and the part of the path that it stands for.
const boxesOfStack = {
  Encoder: [['Embedding', 'embedding'], ['+ positions', 'positions'], ['Self-attention', 'Self-attention'],
            ['Add & norm', 'Add & norm after self-attention'], ['Feed-forward', 'Feed-forward'],
            ['Add & norm', 'Add & norm after feed-forward']],
  Decoder: [['Embedding', 'embedding'], ['+ positions', 'positions'], ['Masked self-attention', 'Masked self-attention'],
            ['Add & norm', 'Add & norm after self-attention'], ['Attention to source', 'Encoder-decoder attention'],
            ['Add & norm', 'Add & norm after encoder-decoder attention'], ['Feed-forward', 'Feed-forward'],
            ['Add & norm', 'Add & norm after feed-forward'], ['Logits, softmax, loss', 'Prediction']],
};
const boxWidth = 140, boxHeight = 30, boxStep = 44;

// Where a tensor stands: "Encoder/Self-attention".
function boxOf(tensor) {
  const [, block, part] = tensor.path, last = tensor.name.split('.').pop();
  if (block === 'Prediction') return 'Decoder/Prediction';
  if (block === 'Memory') return 'Encoder/Add & norm after feed-forward';
  if (block === 'Embedding matrix') return 'Encoder/embedding';
  if (block === 'Source' || block === 'Target')
    return (block === 'Source' ? 'Encoder/' : 'Decoder/') +
           (['positions', 'input', 'grad_input', 'position_embedding'].includes(last) ? 'positions' : 'embedding');
  return block.split(' ')[0] + '/' + part;
}

// Draws the figure once; a box is a link to its first tensor.
function drawFigure() {
  const svg = drawn('svg', {viewBox: '0 0 340 452', role: 'img', 'aria-label': 'Figure 1: encoder and decoder'});
  const arrow = d => svg.append(drawn('path', {class: 'arrow', d}));
  Object.entries(boxesOfStack).forEach(([stack, boxes], side) => {
    const left = 14 + side * 172, middle = left + boxWidth / 2, top = 40;
    const last = stack === 'Encoder' ? boxes.length : boxes.length - 1;
    svg.append(drawn('text', {x: middle, y: 24, 'text-anchor': 'middle', class: 'heading'}, stack === 'Encoder' ? 'Source' : 'Target'));
    svg.append(drawn('rect', {class: 'layer', x: left - 8, y: top + 2 * boxStep - 14, width: boxWidth + 16,
                              height: (last - 2) * boxStep + 8, rx: 8}));
    svg.append(drawn('text', {x: left + boxWidth + 4, y: top + 2 * boxStep - 3, 'text-anchor': 'end', class: 'small',
                              'data-layer': stack}));
    boxes.forEach(([title, part], place) => {
      const y = top + place * boxStep;
      arrow(`M${middle} ${y - (place ? boxStep - boxHeight : 10)}L${middle} ${y}`);
      svg.append(drawn('g', {class: 'box', 'data-box': `${stack}/${part}`},
                       drawn('rect', {x: left, y, width: boxWidth, height: boxHeight, rx: 5}),
                       drawn('text', {x: middle, y: y + 19, 'text-anchor': 'middle'}, title)));
    });
  });
  const memory = 40 + 6 * boxStep - (boxStep - boxHeight);
  arrow(`M84 ${memory}L84 ${memory + 22}L170 ${memory + 22}L170 ${40 + 4 * boxStep + 15}L186 ${40 + 4 * boxStep + 15}`);
  svg.append(drawn('text', {x: 88, y: memory + 38, class: 'small'}, 'memory'));
  byId('figure').append(svg, element('p', {id: 'direction', className: 'soft'}));
  svg.addEventListener('click', event => {
    const box = event.target.closest('.box');
    if (!box) return;
    const pass = tensors[step].path[0];
    const there = tensors.findIndex(tensor => tensor.path[0] === pass && boxOf(tensor) === box.dataset.box);
    if (there >= 0) go(there);
  });
}

function lightFigure(tensor) {
  const figure = byId('figure'), isBackward = tensor.path[0] === 'Backward';
  const changed = new Set(tensors.filter(each => each.changed && each.path[0] === tensor.path[0]).map(boxOf));
  for (const box of figure.querySelectorAll('.box')) {
    box.classList.toggle('lit', box.dataset.box === boxOf(tensor));
    box.classList.toggle('changed', changed.has(box.dataset.box));
  }
  figure.classList.toggle('backward', isBackward);
  const [stack, , layer] = tensor.path[1].split(' ');
  for (const text of figure.querySelectorAll('[data-layer]')) {
    const name = text.dataset.layer, count = new Set(tensors.map(each => each.path[1]).filter(block => block.startsWith(name + ' layer'))).size;
    text.textContent = name === stack && layer !== undefined ? `layer ${layer} of ${count}` : `\u00d7 ${count}`;
  }
  byId('direction').textContent = isBackward ? '\u2191 backward: from the loss to the words' :
                                               '\u2193 forward: from the words to the loss';
}
