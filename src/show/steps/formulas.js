// The tensors of the page, and the arithmetic of their cells. A formula is a tree, as src/show/steps/steps_page.h says:
// a number, "i" for an index, [12, "h", "i"] for a cell of tensor 12, or ["+", a, b].
let data, tensors, numberOf;

// All values, in the order of the tensors: 4 bytes each, the lowest first, as every browser has them in memory.
function valuesOf(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = letters.charCodeAt(i);
  return new Float32Array(bytes.buffer);
}
function read(newData) {
  data = newData;
  tensors = data.tensors;
  numberOf = new Map(tensors.map((tensor, number) => [tensor.name, number]));
  const values = valuesOf(data.values);
  let begin = 0;
  for (const tensor of tensors) {
    const extents = tensor.axes.map(axis => axis[1]), rank = extents.length;
    tensor.columns = extents[rank - 1];
    tensor.rows = rank > 1 ? extents[rank - 2] : 1;
    tensor.matrices = rank > 2 ? extents[0] : 1;
    tensor.size = tensor.matrices * tensor.rows * tensor.columns;
    tensor.values = values.subarray(begin, begin += tensor.size);
    tensor.largest = tensor.values.reduce((most, value) => Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most, 0);
    tensor.shortName = tensor.name.split('.').slice(tensor.name.endsWith('.grad') ? -2 : -1).join('.');
  }
}
read(JSON.parse(byId('data').textContent));

// ---- the trace before this one, on a page that can change its model

const isLearned = tensor => tensor.formula === undefined && !tensor.name.endsWith('.ids');
const hasChanged = (tensor, offset) => tensor.before !== undefined && !Object.is(tensor.before[offset], tensor.values[offset]);

// Goes on to the data of another trace. A tensor of the same shape keeps the values that it had.
function readAfter(newData) {
  const old = new Map(tensors.map(tensor => [tensor.name, tensor]));
  read(newData);
  for (const tensor of tensors) {
    const same = old.get(tensor.name), shape = of => of.axes.map(axis => axis[1]).join();
    if (same && shape(same) === shape(tensor)) tensor.before = same.values;
    tensor.changed = tensor.before ? tensor.values.reduce((count, value, i) => count + hasChanged(tensor, i), 0) : tensor.size;
  }
}

// ---- numbers

// A value as the text of `plainformer trace` has it. A value in the middle is rounded to the even digit.
function shown(tensor, value) {
  if (value === 0) return '0';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  if (tensor.scientific) return value.toExponential(2).replace(/e([-+])(\d)$/, 'e$10$2');
  const scaled = Math.abs(value) * 10 ** tensor.decimals, below = Math.floor(scaled);
  const even = scaled - below === .5 && below % 2 === 0;
  const text = even ? (Math.sign(value) * below / 10 ** tensor.decimals).toFixed(tensor.decimals) :
                      value.toFixed(tensor.decimals);
  return /[1-9]/.test(text) ? text : text.replace('-', '');
}
const rounded = (value, digits) => Number.isFinite(value) ? Number(value.toPrecision(digits)) : value;
// With the sign of mathematics for minus.
const printed = number => String(number).replace(/-/g, '\u2212');

// ---- cells

const offsetOf = (tensor, indices) =>
    indices.reduce((offset, index, axis) => offset * tensor.axes[axis][1] + index, 0);
function indicesOf(tensor, offset) {
  const indices = [];
  for (let axis = tensor.axes.length; axis-- > 0;) {
    indices[axis] = offset % tensor.axes[axis][1];
    offset = Math.floor(offset / tensor.axes[axis][1]);
  }
  return indices;
}
// The indices of a cell by their names in the tensor's formula.
function namedIndices(tensor, offset) {
  const indices = indicesOf(tensor, offset);
  return Object.fromEntries(tensor.indices.map((name, axis) => [name, indices[axis]]));
}

// ---- the value of a formula; read(tensor, offset) gives that of a cell

const operations = {
  '+': (a, b) => a + b, '-': (a, b) => a - b, '*': (a, b) => a * b, '/': (a, b) => a / b, power: (a, b) => a ** b,
  div: (a, b) => Math.floor(a / b), mod: (a, b) => a % b, '=': (a, b) => Number(a === b), '<': (a, b) => Number(a < b),
  negative: a => -a, square: a => a * a, sqrt: Math.sqrt, exp: Math.exp, log: Math.log, sin: Math.sin, cos: Math.cos,
};
function evaluate(node, at, read) {
  if (typeof node === 'number') return node;
  if (typeof node === 'string') return at[node];
  const [kind, ...parts] = node, value = part => evaluate(part, at, read);
  if (typeof kind === 'number') return read(kind, offsetOf(tensors[kind], parts.map(value)));
  if (kind === 'if') return value(parts[value(parts[0]) ? 1 : 2]);
  if (kind === 'pick') return parts[2 + value(parts[1])];
  if (kind === 'sum') return instances(node, 2, at, read).reduce((sum, each) => sum + evaluate(node[3], each, read), 0);
  if (kind === 'largest')
    return instances(node, 3, at, read).map(each => evaluate(node[4], each, read)).sort((a, b) => b - a)[value(node[2])];
  return operations[kind](...parts.map(value));
}
// The indices of each summand: at the place `first` of the node are the count, the summand and maybe a condition.
function instances(node, first, at, read) {
  const all = [], count = evaluate(node[first], at, read), condition = node[first + 2];
  for (let index = 0; index < count; ++index) {
    const each = {...at, [node[1]]: index};
    if (condition === undefined || evaluate(condition, each, read)) all.push(each);
  }
  return all;
}
const exact = (tensor, offset) => tensors[tensor].values[offset];

// The cells from which a cell was made, by tensor: first those whose numbers the arithmetic has, then those that only a
// condition or an index reads.
function operandsOf(tensor, offset) {
  const cells = new Map();
  if (tensor.formula === undefined) return cells;
  const add = (number, at) => {
    if (!cells.has(number)) cells.set(number, new Set());
    cells.get(number).add(at);
    return exact(number, at);
  };
  const indices = namedIndices(tensor, offset);
  for (const part of write(tensor.formula, indices).parts) if (typeof part === 'object') add(part.tensor, part.offset);
  evaluate(tensor.formula, indices, add);
  return cells;
}

// ---- the arithmetic, written out

// The parts of a formula at some indices: texts, and {tensor, offset} for the number of a cell. The level says how
// tightly its last operation binds: 1 for sums, 2 for products, 3 for what needs no parentheses.
function write(node, at) {
  const text = value => ({parts: [printed(value)], level: value < 0 ? 1 : 3});
  if (typeof node === 'number') return text(rounded(node, 7));
  if (typeof node === 'string') return text(at[node]);
  const [kind, ...parts] = node;
  if (typeof kind === 'number')
    return {parts: [{tensor: kind, offset: offsetOf(tensors[kind], parts.map(part => evaluate(part, at, exact)))}], level: 3};
  if (kind === 'if') return write(parts[evaluate(parts[0], at, exact) ? 1 : 2], at);
  if (kind === 'div' || kind === 'mod') return text(evaluate(node, at, exact));
  if (kind === 'sum') return joined(instances(node, 2, at, exact).map(each => write(node[3], each)));
  if (kind === 'largest') {
    const all = instances(node, 3, at, exact).flatMap(each => [', ', ...write(node[4], each).parts]);
    return {parts: ['largest(' + (evaluate(node[2], at, exact) + 1), ...all, ')'], level: 3};
  }
  const [a, b] = parts.map(part => write(part, at));
  if (kind === 'negative') return {parts: ['\u2212', ...inside(a, 3)], level: 1};
  if (kind === 'square') return {parts: [...inside(a, 4), '\u00b2'], level: 3};
  const name = {sqrt: '\u221a', exp: 'exp', log: 'ln', sin: 'sin', cos: 'cos'}[kind];
  if (name) return {parts: [name, '(', ...a.parts, ')'], level: 3};
  if (kind === '+') return joined([a, b]);
  if (kind === '-') return {parts: [...a.parts, ' \u2212 ', ...inside(b, 2)], level: 1};
  if (kind === 'power') return {parts: [...inside(a, 3), '^', ...inside(b, 4)], level: 2};
  return {parts: [...inside(a, 2), kind === '*' ? ' \u00b7 ' : ' / ', ...inside(b, 3)], level: 2};
}
const inside = (written, level) => written.level >= level ? written.parts : ['(', ...written.parts, ')'];
function joined(summands) {
  const some = summands.filter(each => each.parts.length > 0 && each.parts[0] !== 'nothing');
  if (some.length === 1) return some[0];
  if (some.length === 0) return {parts: ['nothing'], level: 3};
  return {parts: some.flatMap((each, place) => place ? [' + ', ...each.parts] : each.parts), level: 1};
}

// The arithmetic of a cell, with the fewest digits that give the value that is shown; at most 9, which single precision
// can need. `agrees` is false where even those give another last digit: single precision rounds after each operation.
function arithmetic(tensor, offset) {
  const at = namedIndices(tensor, offset), result = shown(tensor, tensor.values[offset]);
  const gives = digits => shown(tensor, evaluate(tensor.formula, at,
      (number, cell) => shortened(exact(number, cell), digits))) === result;
  const digits = [3, 4, 5, 6, 7, 8, 9].find(gives);
  const parts = write(tensor.formula, at).parts.map(part => part === 'nothing' ? '0' : part);
  return {parts, digits: digits || 9, agrees: digits !== undefined};
}
// No digit of a whole number, such as a token's, is dropped.
const shortened = (value, digits) => Number.isInteger(value) ? value : rounded(value, digits);

// The number of a cell with so many digits; negative ones in parentheses, but at the beginning.
function operandText({tensor, offset}, digits, before) {
  const value = exact(tensor, offset), text = printed(shortened(value, digits));
  return value < 0 && before !== '' && !before.endsWith('(') ? '(' + text + ')' : text;
}

// Why a formula with cases took its case: "because 0 is less than hidden (0.31)"; '' if it has no cases.
function reason(tensor, offset) {
  const at = namedIndices(tensor, offset), node = tensor.formula;
  if (!Array.isArray(node) || node[0] !== 'if') return '';
  const [, [kind, a, b]] = node, holds = evaluate(node[1], at, exact);
  const named = part => {
    const value = evaluate(part, at, exact);
    if (!Array.isArray(part) || typeof part[0] !== 'number') return printed(value);
    return `${tensors[part[0]].shortName} (${printed(rounded(value, 4))})`;
  };
  if (kind === '=') return `because ${named(a)} is ${holds ? '' : 'not '}${named(b)}`;
  return `because ${named(a)} is ${holds ? '' : 'not '}less than ${named(b)}`;
}
