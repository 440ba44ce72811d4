// ---- what two pages share that show how a model learns: the film, and the tab (examples/browser)

// The words that are not in a longest common subsequence with `right` are wrong. Without `right`, nobody knows.
function marked(words, right = words) {
  const longest = Array.from({length: words.length + 1}, () => Array(right.length + 1).fill(0));
  for (let i = words.length - 1; i >= 0; --i)
    for (let j = right.length - 1; j >= 0; --j)
      longest[i][j] = words[i] === right[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
  let j = 0;
  return words.flatMap((word, i) => {
    while (j < right.length && word !== right[j] && longest[i][j + 1] >= longest[i + 1][j]) ++j;
    const isRight = j < right.length && word === right[j];
    if (isRight) ++j;
    return [i ? ' ' : '', element('bdi', {className: isRight ? '' : 'wrong'}, word)];
  });
}

// A choice of one head or of their mean, of which `chosen` is on at first.
function headChips(heads, chosen, choose) {
  return ['mean', ...Array(heads).keys()].map(value => {
    const radio = element('input', {type: 'radio', name: 'head', value, checked: value === chosen});
    radio.onchange = () => choose(value);
    return element('label', {className: 'chip'}, radio, String(value));
  });
}

// Shows a weight of 0 to 1 in a cell of the map.
function showWeight(cell, weight) {
  cell.style.setProperty('--w', weight.toFixed(3));
  cell.classList.toggle('some', weight >= .3);
  cell.classList.toggle('strong', weight >= .75);
  cell.textContent = weight.toFixed(2).replace(/^0/, '');
}
