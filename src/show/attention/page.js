const kinds = JSON.parse(byId('data').textContent);
// Thousandths, [layer][head][row after row].
for (const each of kinds) each.attn = each.attn.map(ofLayer => ofLayer.map(ofHead => ofHead.flat().map(weight => Math.round(1000 * weight))));
const colors = 6, levels = 20, rowHeight = 28, mostNumbered = 900, mostInTable = 100;
let kind, layer, heads, hovered = null, pinned = null;

// ---- small tools

const weightsOf = head => kind.attn[layer][head];
const color = head => `var(--h${kind.heads[head] % colors})`;
const dashes = head => ['', '7 4', '1 4'][Math.floor(kind.heads[head] / colors) % 3];
const decimal = thousandths => (thousandths / 1000).toFixed(3);
const textsOf = side => side === 'query' ? kind.left_text : kind.right_text;
const lengthOf = side => textsOf(side).length;
// The weight between a word and word i of the other side.
const weightBetween = (head, {side, index}, i) =>
    weightsOf(head)[side === 'query' ? index * lengthOf('key') + i : i * lengthOf('key') + index];

// Paths of the weights that can be seen, one for each level of opacity from 1, so that a large matrix takes few elements.
function pathsByLevel(weights, commandOf) {
  const paths = Array(levels + 1).fill(''), keys = lengthOf('key');
  weights.forEach((weight, i) => {
    const level = Math.max(1, Math.round(weight * levels / 1000));
    if (weight >= 10) paths[level] += commandOf(Math.floor(i / keys), i % keys);
  });
  return paths;
}

// ---- lines between two columns of words

function drawLines() {
  const word = pinned || hovered, rows = Math.max(lengthOf('query'), lengthOf('key'));
  const svg = drawn('svg', {viewBox: `0 0 100 ${rows * rowHeight}`, preserveAspectRatio: 'none', 'aria-hidden': true});
  svg.style.height = rows * rowHeight + 'px';
  const spread = Math.min(3, 14 / heads.length);
  const paths = heads.map((head, place) => pathsByLevel(weightsOf(head), (query, key) => {
    if (word && word.index !== (word.side === 'query' ? query : key)) return '';
    const y = row => (row * rowHeight + rowHeight / 2 + spread * (place - (heads.length - 1) / 2)).toFixed(1);
    return `M0 ${y(query)}L100 ${y(key)}`;
  }));
  for (let level = 1; level <= levels; ++level)
    heads.forEach((head, place) => {
      if (!paths[place][level]) return;
      const line = drawn('path', {d: paths[place][level], stroke: `rgb(${color(head)} / ${level / levels})`});
      if (dashes(head)) line.setAttribute('stroke-dasharray', dashes(head));
      svg.append(line);
    });
  byId('between').replaceChildren(svg);
}

function words(side) {
  const list = element('ol', {className: 'words ' + (side === 'query' ? 'queries' : '')});
  list.setAttribute('aria-label', side === 'query' ? kind.rows + ': the words that look' :
                                                     kind.columns + ': the words looked at');
  textsOf(side).forEach((text, index) => {
    const button = element('button', {type: 'button', className: 'word', tabIndex: index === 0 ? 0 : -1,
                                      title: text}, isolated(text));
    button.dataset.side = side;
    button.dataset.index = index;
    button.setAttribute('aria-pressed', false);
    list.append(element('li', {}, button));
  });
  return list;
}
const buttonOf = (side, index) =>
    byId('figure').querySelector(`.word[data-side=${side}][data-index="${index}"]`);
const wordOf = button => ({side: button.dataset.side, index: Number(button.dataset.index)});

function drawFigure() {
  const heading = text => element('div', {textContent: text});
  byId('figure').replaceChildren(heading(kind.rows), heading(''), heading(kind.columns), words('query'),
                                 element('div', {id: 'between'}), words('key'));
  byId('between').style.padding = 0;
  showWord();
}

// A strip for each head, as opaque as its weight.
function strips(weights) {
  const stops = weights.map((weight, i) => `rgb(${color(heads[i])} / ${weight / 2000}) ` +
      `${100 * i / weights.length}% ${100 * (i + 1) / weights.length}%`);
  return `linear-gradient(to right, ${stops.join(', ')})`;
}

// What the word looks at, or what looks at it: its lines, the strips behind the words, and the numbers.
function showWord() {
  const word = pinned || hovered, figure = byId('figure');
  figure.classList.toggle('focused', word !== null);
  for (const button of figure.querySelectorAll('.word')) {
    const {side, index} = wordOf(button);
    const isChosen = word !== null && side === word.side && index === word.index;
    button.classList.toggle('chosen', isChosen);
    button.setAttribute('aria-pressed', isChosen && pinned !== null);
    let weights = [];
    if (isChosen) weights = heads.map(() => 1000);
    else if (word && side !== word.side)
      weights = heads.map(head => weightBetween(head, word, index));
    button.classList.toggle('seen', weights.some(weight => weight >= 50));
    button.style.background = weights.length ? strips(weights) : '';
  }
  drawLines();
  byId('status').replaceChildren(...(word ? describe(word) : [hint()]));
}
const hint = () => element('span', {className: 'soft',
    textContent: 'Point at a word, or move with Tab and the arrow keys, to see only its lines. Enter keeps them.'});
function describe(word) {
  const isQuery = word.side === 'query', verb = isQuery ? ' looks at' : ' is looked at by';
  const others = textsOf(isQuery ? 'key' : 'query');
  const lines = [element('span', {}, element('b', {}, isolated(textsOf(word.side)[word.index])), verb)];
  for (const head of heads) {
    const ranked = others.map((text, i) => [weightBetween(head, word, i), text]).sort((a, b) => b[0] - a[0]);
    const line = element('span', {}, `head ${kind.heads[head]}: `);
    ranked.slice(0, 3).filter(([weight], place) => weight > 0 || place === 0).forEach(([weight, text], place) => {
      line.append(place ? ', ' : '', isolated(text), ' ' + decimal(weight));
    });
    lines.push(line);
  }
  return lines;
}

// ---- heat maps

const measure = document.createElement('canvas').getContext('2d');
function widest(texts) {
  measure.font = '12px ' + getComputedStyle(document.body).fontFamily;
  return Math.min(170, Math.max(...texts.map(text => measure.measureText(text).width)) * 1.08);
}
const shortened = text => [...text].length > 24 ? [...text].slice(0, 23).join('') + '\u2026' : text;

function drawMap(head) {
  const queries = kind.left_text, keys = kind.right_text, most = Math.max(queries.length, keys.length);
  const cell = most <= 40 ? 22 : most <= 100 ? 14 : 5;
  const left = cell < 14 ? 4 : widest(queries.map(shortened)) + 8, slanted = cell < 14 ? 4 : widest(keys.map(shortened)) * .72;
  const top = slanted + 16, width = keys.length * cell, height = queries.length * cell;
  const svg = drawn('svg', {width: left + width + slanted, height: top + height + 2, role: 'img',
                            'aria-label': `head ${kind.heads[head]}; the numbers are in the table below`});
  if (cell >= 14) {
    queries.forEach((text, i) => svg.append(drawn('text', {x: left - 6, y: top + i * cell + cell / 2 + 4,
        'text-anchor': 'end'}, shortened(text))));
    keys.forEach((text, i) => svg.append(drawn('text', {transform:
        `translate(${left + i * cell + cell / 2} ${top - 5}) rotate(-45)`}, shortened(text))));
  }
  svg.append(drawn('path', {class: 'grid', d: `M${left - .5} ${top - .5}h${width}v${height}h${-width}z`}));
  const paths = pathsByLevel(weightsOf(head), (query, key) =>
      `M${(left + key * cell).toFixed(1)} ${(top + query * cell).toFixed(1)}h${cell - 1}v${cell - 1}h${1 - cell}z`);
  paths.forEach((d, level) => {
    if (d) svg.append(drawn('path', {d, fill: `rgb(${color(head)} / ${level / levels})`}));
  });
  if (cell === 22 && queries.length * keys.length <= mostNumbered)
    weightsOf(head).forEach((weight, i) => {
      const hundredths = Math.round(weight / 10);
      if (hundredths < 5) return;
      const x = left + (i % keys.length) * cell + cell / 2, y = top + Math.floor(i / keys.length) * cell + cell / 2;
      svg.append(drawn('text', {class: 'number' + (weight < 600 ? '' : ' inside'), x, y: y + 3, 'text-anchor': 'middle'},
                       hundredths));
    });
  const cursor = drawn('rect', {class: 'cursor', width: cell, height: cell, visibility: 'hidden'});
  const caption = element('figcaption', {textContent: `head ${kind.heads[head]}`});
  svg.append(cursor);
  svg.addEventListener('pointermove', event => {
    const box = svg.getBoundingClientRect();
    const key = Math.floor((event.clientX - box.left - left) / cell), query = Math.floor((event.clientY - box.top - top) / cell);
    const inside = key >= 0 && key < keys.length && query >= 0 && query < queries.length;
    cursor.setAttribute('visibility', inside ? 'visible' : 'hidden');
    caption.replaceChildren(`head ${kind.heads[head]}`);
    if (!inside) return;
    cursor.setAttribute('x', left + key * cell - .5);
    cursor.setAttribute('y', top + query * cell - .5);
    caption.append(': ', isolated(queries[query]), ' \u2192 ', isolated(keys[key]), ' ' +
                   decimal(weightsOf(head)[query * keys.length + key]));
  });
  svg.addEventListener('pointerleave', () => {
    cursor.setAttribute('visibility', 'hidden');
    caption.replaceChildren(`head ${kind.heads[head]}`);
  });
  const scroll = element('div', {className: 'scroll', tabIndex: 0, role: 'group'}, svg);
  scroll.setAttribute('aria-label', `map of head ${kind.heads[head]}`);
  scroll.addEventListener('scroll', () => markCut(scroll));
  return element('figure', {}, caption, scroll);
}

// What a window leaves out of a wide part fades at its edge, and a line says how to see it.
function markCut(scroll) {
  const left = Math.round(scroll.scrollLeft), rest = scroll.scrollWidth - scroll.clientWidth - left;
  scroll.classList.toggle('more-left', left > 1);
  scroll.classList.toggle('more-right', rest > 1);
  scroll.parentElement.classList.toggle('wide', left + rest > 1);
  scroll.tabIndex = left + rest > 1 ? 0 : -1;
}
const markAll = () => document.querySelectorAll('figure .scroll').forEach(markCut);

// ---- the numbers

function tableOf(head) {
  const queries = kind.left_text.slice(0, mostInTable), keys = kind.right_text.slice(0, mostInTable);
  const cut = queries.length < lengthOf('query') || keys.length < lengthOf('key');
  const table = element('table', {}, element('caption', {textContent: `${kind.name}, layer ${kind.layers[layer]}, ` +
      `head ${kind.heads[head]}. Rows (${kind.rows}) look at columns (${kind.columns}).` +
      (cut ? ` The first ${mostInTable} of each.` : '')}));
  const header = (text, scope) => element('th', {scope}, isolated(text));
  table.append(element('thead', {}, element('tr', {}, element('td'), ...keys.map(text => header(text, 'col')))));
  const body = element('tbody');
  queries.forEach((text, query) => {
    const cells = keys.map((_, key) => {
      const weight = weightsOf(head)[query * lengthOf('key') + key];
      const cell = element('td', {textContent: weight ? decimal(weight) : '0'});
      if (weight >= 10) cell.style.background = `rgb(${color(head)} / ${weight / 2500})`;
      return cell;
    });
    body.append(element('tr', {}, header(text, 'row'), ...cells));
  });
  table.append(body);
  return element('div', {className: 'scroll', tabIndex: 0}, table);
}
function drawTables() {
  byId('tables').replaceChildren(...(byId('numbers').open ? heads.map(tableOf) : []));
}

// ---- all layers and heads, and the choice among them

function thumbnail(itsLayer, head) {
  const svg = drawn('svg', {viewBox: `0 0 ${lengthOf('key')} ${lengthOf('query')}`, preserveAspectRatio: 'none',
                            'aria-hidden': true});
  pathsByLevel(kind.attn[itsLayer][head], (query, key) => `M${key} ${query}h1v1h-1z`).forEach((d, level) => {
    if (d) svg.append(drawn('path', {d, fill: `rgb(${color(head)} / ${level / levels})`}));
  });
  const button = element('button', {type: 'button', className: 'thumb'}, svg);
  button.setAttribute('aria-label', `layer ${kind.layers[itsLayer]}, head ${kind.heads[head]}`);
  button.dataset.layer = itsLayer;
  button.dataset.head = head;
  button.addEventListener('click', () => choose(kind, itsLayer, [head]));
  return button;
}
function drawOverview() {
  const grid = byId('grid'), label = text => element('span', {textContent: text});
  grid.style.gridTemplateColumns = `repeat(${kind.heads.length + 1}, max-content)`;
  grid.replaceChildren(label(''), ...kind.heads.map(number => label('head ' + number)));
  kind.layers.forEach((number, i) => grid.append(label('layer ' + number), ...kind.heads.map((_, head) => thumbnail(i, head))));
}

function chip(type, group, value, text, checked, change) {
  const input = element('input', {type, name: group, value, checked});
  input.addEventListener('change', change);
  return element('label', {className: 'chip'}, input, text);
}
function drawControls() {
  const put = (id, text, chips) => byId(id).replaceChildren(element('legend', {textContent: text}), ...chips);
  put('kinds', 'Kind', kinds.map((each, i) =>
      chip('radio', 'kind', i, each.name, each === kind, () => choose(each, each.layers.length - 1, null))));
  put('layers', 'Layer', kind.layers.map((number, i) =>
      chip('radio', 'layer', i, number, i === layer, () => choose(kind, i, heads))));
  const toggle = head => heads.includes(head) ? heads.filter(each => each !== head) : [...heads, head];
  put('heads', 'Heads', kind.heads.map((number, head) => {
    const made = chip('checkbox', 'head', head, number, heads.includes(head), () => choose(kind, layer, toggle(head)));
    const line = element('i', {className: ['', 'dash', 'dot'][Math.floor(number / colors) % 3]});
    line.style.setProperty('--c', color(head));
    made.append(line);
    return made;
  }));
  const all = element('button', {type: 'button', name: 'head', value: 'all', className: 'chip', textContent: 'all'});
  all.addEventListener('click', () => choose(kind, layer, null));
  byId('heads').append(all);
}

// Shows this part. `heads` are places, null for all. The keyboard's focus stays where it was.
function choose(itsKind, itsLayer, itsHeads) {
  const active = document.activeElement, kept = active && active.name ? [active.name, active.value] : null;
  if (itsKind !== kind || pinned === null) hovered = pinned = null;
  const isNewKind = itsKind !== kind;
  kind = itsKind;
  layer = itsLayer;
  const all = kind.heads.map((_, head) => head);
  heads = itsHeads ? all.filter(head => itsHeads.includes(head)) : all;
  drawControls();
  if (isNewKind) drawOverview();
  for (const button of document.querySelectorAll('.thumb'))
    button.setAttribute('aria-pressed', Number(button.dataset.layer) === layer && heads.includes(Number(button.dataset.head)));
  byId('title').textContent = `${kind.name}, layer ${kind.layers[layer]}`;
  if (isNewKind) drawFigure();
  else showWord();
  byId('maps').replaceChildren(...heads.map(drawMap));
  markAll();
  drawTables();
  if (kept) document.querySelector(`[name=${kept[0]}][value="${kept[1]}"]`)?.focus();
}

// ---- events

const figure = byId('figure');
const wordUnder = event => event.target.closest ? event.target.closest('.word') : null;
function hover(button) {
  hovered = button ? wordOf(button) : null;
  if (pinned === null) showWord();
}
figure.addEventListener('pointerover', event => { if (wordUnder(event)) hover(wordUnder(event)); });
figure.addEventListener('pointerleave', () => hover(null));
figure.addEventListener('focusin', event => { if (wordUnder(event)) hover(wordUnder(event)); });
figure.addEventListener('focusout', () => hover(null));
figure.addEventListener('click', event => {
  const button = wordUnder(event);
  if (!button) return;
  const word = wordOf(button), isSame = pinned && pinned.side === word.side && pinned.index === word.index;
  pinned = isSame ? null : word;
  showWord();
});
figure.addEventListener('keydown', event => {
  const button = wordUnder(event);
  if (event.key === 'Escape') { pinned = null; showWord(); }
  if (!button) return;
  let {side, index} = wordOf(button);
  if (event.key === 'ArrowDown') ++index;
  else if (event.key === 'ArrowUp') --index;
  else if (event.key === 'Home') index = 0;
  else if (event.key === 'End') index = lengthOf(side) - 1;
  else if (event.key === 'ArrowRight') side = 'key';
  else if (event.key === 'ArrowLeft') side = 'query';
  else return;
  event.preventDefault();
  const next = buttonOf(side, Math.max(0, Math.min(index, lengthOf(side) - 1)));
  for (const each of figure.querySelectorAll(`.word[data-side=${side}]`)) each.tabIndex = each === next ? 0 : -1;
  next.focus();
});
byId('numbers').addEventListener('toggle', drawTables);
addEventListener('resize', markAll);

const last = kinds[kinds.length - 1];
choose(last, last.layers.length - 1, null);
