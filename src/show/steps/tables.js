// ---- tensors as tables

const mostCells = 1500, mostInRow = 24;  // of a table on the screen; operands are smaller

function tint(tensor, value) {
  if (!(tensor.largest > 0) || !Number.isFinite(value)) return '';
  return `rgb(var(--${value > 0 ? 'warm' : 'cool'}) / ${(.58 * Math.abs(value) / tensor.largest).toFixed(3)})`;
}
// The name of an index on an axis: its word, or its number.
function label(axis, index) {
  return axis[2] === undefined ? String(index) : isolated(data.words[axis[2]][index]);
}

// The part of `count` indices that is on the screen: at most `most`, with the index `around` in its middle.
function windowOf(count, most, around) {
  const first = Math.max(0, Math.min(count - most, around - Math.floor(most / 2)));
  return {first, last: Math.min(count, first + most) - 1};
}

// A tensor as tables, one for each head. `center` is the offset of a cell that must be visible. Each cell is a <td> with
// data-offset.
function tablesOf(tensor, center, limit = mostInRow) {
  const [matrix, row, column] = placeOf(tensor, center);
  const rows = windowOf(tensor.rows, limit, row), columns = windowOf(tensor.columns, limit, column);
  const cells = (rows.last - rows.first + 1) * (columns.last - columns.first + 1);
  const matrices = windowOf(tensor.matrices, Math.max(1, Math.floor(mostCells / cells)), matrix);
  const box = element('div', {className: 'heads'});
  for (let m = matrices.first; m <= matrices.last; ++m) box.append(tableOf(tensor, m, rows, columns));
  const hidden = [];
  const note = (part, count, what) => {
    if (part.last - part.first + 1 < count) hidden.push(`${what} ${part.first} to ${part.last} of ${count}`);
  };
  note(matrices, tensor.matrices, 'heads');
  note(rows, tensor.rows, 'rows');
  note(columns, tensor.columns, 'columns');
  if (hidden.length) box.append(element('p', {className: 'soft', textContent: `Shown: ${hidden.join(', ')}.`}));
  return box;
}
// [head, row, column] of a cell.
function placeOf(tensor, offset) {
  const inMatrix = offset % (tensor.rows * tensor.columns);
  return [Math.floor(offset / (tensor.rows * tensor.columns)), Math.floor(inMatrix / tensor.columns), inMatrix % tensor.columns];
}

function tableOf(tensor, matrix, rows, columns) {
  const rank = tensor.axes.length, rowAxis = rank > 1 ? tensor.axes[rank - 2] : null, columnAxis = tensor.axes[rank - 1];
  const table = element('table'), head = table.createTHead().insertRow(), body = table.createTBody();
  if (rank > 2) table.createCaption().textContent = 'head ' + matrix;
  else {
    table.createCaption().className = 'unseen';
    table.caption.textContent = tensor.name;
  }
  if (rowAxis) head.append(element('td'));
  for (let column = columns.first; column <= columns.last; ++column)
    head.append(element('th', {scope: 'col'}, label(columnAxis, column)));
  for (let row = rows.first; row <= rows.last; ++row) {
    const line = body.insertRow();
    line.style.setProperty('--row', row - rows.first);
    if (rowAxis) line.append(element('th', {scope: 'row'}, label(rowAxis, row)));
    for (let column = columns.first; column <= columns.last; ++column) {
      const offset = (matrix * tensor.rows + row) * tensor.columns + column, value = tensor.values[offset];
      const cell = element('td', {className: value === 0 ? 'z' : '', tabIndex: -1});
      cell.style.backgroundColor = tint(tensor, value);
      if (tensor.cell_words) cell.append(isolated(tensor.cell_words[offset]), ' ');
      cell.append(printed(shown(tensor, value)));
      cell.dataset.offset = offset;
      cell.classList.toggle('changed', hasChanged(tensor, offset));
      line.append(cell);
    }
  }
  return table;
}

// "head 1, queen, buys": where a cell is, in words.
function placeInWords(tensor, offset) {
  const parts = indicesOf(tensor, offset).map((index, axis) => {
    const {0: name, 2: words} = tensor.axes[axis];
    return words === undefined ? `${name === 'heads' ? 'head' : name} ${index}` : data.words[words][index];
  });
  return parts.join(', ');
}
