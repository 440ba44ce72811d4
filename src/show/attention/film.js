const {source, target, reference, heads, frames} = JSON.parse(byId('data').textContent);
const count = number => number.toLocaleString('en');
const shortest = 60, longest = 400, whole = 12000;  // milliseconds: of a frame, and of all frames
const still = matchMedia('(prefers-reduced-motion: reduce)');
let shown = 0, head = 'mean', timer = null;

const decimal = number => number === null ? '\u2013' : number.toFixed(2);

// ---- where it looks

const cells = [];
function makeMap() {
  const header = element('tr', {}, element('td', {className: 'corner'}), ...source.map(token =>
      element('th', {scope: 'col', title: token}, element('span', {}, element('bdi', {}, token)))));
  const rows = target.map(token => {
    const weights = source.map(() => element('td', {className: 'weight'}));
    cells.push(...weights);
    return element('tr', {}, element('th', {scope: 'row', title: token}, element('bdi', {}, token)), ...weights);
  });
  const table = element('table', {}, element('thead', {}, header), element('tbody', {}, ...rows));
  table.setAttribute('aria-label', 'Attention weights: rows are tokens of the translation, columns tokens of the source');
  table.style.setProperty('--columns', source.length);
  byId('map').replaceChildren(table);
}
// Where the window cuts the map, its edge fades, and a line below says so.
function markCut() {
  const map = byId('map');
  map.classList.toggle('wide', map.scrollWidth > map.clientWidth + 1);
  map.classList.toggle('cut', map.scrollWidth > map.clientWidth + 1 + map.scrollLeft);
}
function showMap() {
  const {weights} = frames[shown], matrix = cells.length;
  cells.forEach((cell, i) => {
    let weight = 0;
    for (let h = 0; h < heads; ++h) if (head === 'mean' || head === h) weight += weights[h * matrix + i];
    weight /= 1000 * (head === 'mean' ? heads : 1);
    showWeight(cell, weight);
  });
}
function chooseHead(value) {
  head = value;
  showMap();
}

// ---- what it writes

function showTranslation() {
  const {translation} = frames[shown], place = byId('translation');
  place.classList.toggle('right', translation === reference);
  const right = reference.split(' '), words = translation.split(' ');  // one that knows nothing repeats itself
  if (words.length > right.length + 4) words.splice(right.length + 4, words.length, '\u2026');
  place.replaceChildren(...(translation ? marked(words, right) :
                                          [element('span', {className: 'soft'}, '(nothing)')]));
}

// ---- the two losses over the steps

function drawChart() {
  const width = Math.max(220, byId('chart').clientWidth), height = 200, left = 26, top = 8, bottom = 22;
  const last = Math.max(1, frames[frames.length - 1].step);
  const losses = frames.flatMap(frame => [frame.loss, frame.sentence_loss]).filter(loss => loss !== null);
  const highest = Math.max(1, Math.ceil(Math.max(...losses)));
  const x = step => left + step / last * (width - left - 8);
  const y = loss => top + (highest - loss) / highest * (height - top - bottom);
  const svg = drawn('svg', {viewBox: `0 0 ${width} ${height}`, height, role: 'img',
                            'aria-label': 'Both losses over the steps; the list below has the numbers'});
  const every = Math.ceil(highest / 5);
  for (let tick = 0; tick <= highest; tick += every)
    svg.append(drawn('line', {class: 'grid', x1: left, x2: width - 8, y1: y(tick), y2: y(tick)}),
               drawn('text', {x: left - 6, y: y(tick) + 4, 'text-anchor': 'end'}, tick));
  svg.append(drawn('text', {x: left, y: height - 4}, 'step 0'),
             drawn('text', {x: width - 8, y: height - 4, 'text-anchor': 'end'}, count(last)));
  for (const name of ['loss', 'sentence_loss']) {
    const known = frames.filter(frame => frame[name] !== null);
    if (known.length > 1)
      svg.append(drawn('path', {class: name,
          d: 'M' + known.map(frame => `${x(frame.step).toFixed(1)} ${y(frame[name]).toFixed(1)}`).join('L')}));
  }
  const {step, loss, sentence_loss} = frames[shown];
  svg.append(drawn('line', {class: 'now', x1: x(step), x2: x(step), y1: top, y2: height - bottom}));
  if (loss !== null) svg.append(drawn('circle', {cx: x(step), cy: y(loss), r: 4}));
  if (sentence_loss !== null) svg.append(drawn('circle', {class: 'sentence_loss', cx: x(step), cy: y(sentence_loss), r: 4}));
  byId('chart').replaceChildren(svg);
}

// ---- the player

function show(frame) {
  shown = Math.max(0, Math.min(frames.length - 1, frame));
  const {step, loss, sentence_loss} = frames[shown];
  byId('slider').value = shown;
  byId('slider').setAttribute('aria-valuetext', `step ${count(step)}`);
  byId('step').textContent = `step ${count(step)}`;
  byId('loss').textContent = decimal(loss);
  byId('sentence-loss').textContent = decimal(sentence_loss);
  byId('back').disabled = shown === 0;
  byId('forward').disabled = shown === frames.length - 1;
  showMap();
  showTranslation();
  drawChart();
}
function pause() {
  clearInterval(timer);
  timer = null;
  byId('play').textContent = 'Play';
}
function play() {
  if (shown === frames.length - 1) show(0);
  byId('play').textContent = 'Pause';
  const each = Math.max(shortest, Math.min(longest, whole / frames.length)) * (still.matches ? 4 : 1);
  timer = setInterval(() => {
    show(shown + 1);
    if (shown === frames.length - 1) pause();
  }, each);
}
const go = frame => { pause(); show(frame); };
byId('play').onclick = () => timer === null ? play() : pause();
byId('back').onclick = () => go(shown - 1);
byId('forward').onclick = () => go(shown + 1);
byId('slider').oninput = () => go(Number(byId('slider').value));
addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest('[type=radio], summary, .scroll')) return;
  if (event.key === ' ' && event.target.tagName !== 'BUTTON') byId('play').click();
  else if (event.key === 'ArrowRight') go(shown + 1);
  else if (event.key === 'ArrowLeft') go(shown - 1);
  else if (event.key === 'Home') go(0);
  else if (event.key === 'End') go(frames.length - 1);
  else return;
  event.preventDefault();
});

// "#200" opens the page at the last frame that is not after step 200.
function follow() {
  const step = parseInt(location.hash.slice(1), 10);
  if (Number.isNaN(step)) return false;
  go(frames.findLastIndex(frame => frame.step <= step));
  return true;
}
addEventListener('hashchange', follow);

byId('slider').max = frames.length - 1;
byId('heads').append(...headChips(heads, head, chooseHead));
makeMap();
if (!follow()) show(0);
byId('map').addEventListener('scroll', markCut);
new ResizeObserver(markCut).observe(byId('map'));
new ResizeObserver(drawChart).observe(byId('chart'));
