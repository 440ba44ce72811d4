// ---- the page: shows what the worker reports, and passes the reader's wishes on to it

const count = number => Math.round(number).toLocaleString('en');
const lossChart = new Chart(byId('loss-chart'), {name: 'Loss', lowest: 0, label: value => +value.toFixed(2)});
lossChart.smooth = .8;
const exactChart = new Chart(byId('exact-chart'), {name: 'Translated exactly', lowest: 0, highest: 100,
                                                   ticks: [0, 25, 50, 75, 100], label: value => `${value} %`});
let state = 'starting';  // then 'paused', 'training' or 'failed'
let about = null, step = 0, speed = null, secondsPerStep = null, map = null, own = null, histories = [];

// ---- the worker, made of the text in this page: so the page needs no other file

const worker = new Worker(URL.createObjectURL(new Blob([byId('worker').textContent], {type: 'text/javascript'})));
const order = (name, content = {}, moved = []) => worker.postMessage({order: name, ...content}, moved);
worker.onmessage = ({data}) => reactions[data.name](data);
worker.onerror = event => reactions.failed({message: event.message || 'the worker could not start'});

function say(text) { byId('status').textContent = text; }

function enter(next) {
  state = next;
  byId('run').textContent = state === 'training' ? 'Pause' : step === 0 ? 'Train' : 'Continue';
  for (const id of ['run', 'step', 'translate', 'suggest', 'open-small', 'open-own']) byId(id).disabled = state === 'starting' || state === 'failed';
  byId('restart').disabled = state === 'starting';
}

// ---- what the worker reports

const reactions = {
  created(report) {
    about = report;
    step = report.step;
    speed = secondsPerStep = null;
    histories = about.sentences.map(() => []);
    lossChart.clear();
    lossChart.floor = about.lowest_loss;
    exactChart.clear();
    byId('progress').max = about.steps;
    byId('sizes').textContent = `It has ${count(about.parameters)} numbers to learn, a vocabulary of ${about.vocabulary} tokens, ` +
        `and ${count(about.pairs)} sentence pairs made by a grammar.`;
    byId('words').textContent = about.words.join(', ');
    own = null;
    byId('answer').replaceChildren();
    byId('exact').textContent = '–';
    byId('exact-step').textContent = '';
    byId('status').className = '';
    showSentences();
    showNumbers();
    enter('paused');
    say(step === 0 ? 'Ready. So far the model knows nothing: its numbers are random.' :
                     `Ready. This is the model of your last visit, after step ${count(step)}.`);
    document.dispatchEvent(new Event('created'));
  },
  running() {
    enter('training');
    say('Training. You can pause at any time.');
  },
  paused() {
    enter('paused');
    document.dispatchEvent(new Event('paused'));
    say(step === about.steps ? `Done: ${count(step)} steps, as many as the program makes. You can continue.` :
                              `Paused after step ${count(step)}.`);
  },
  stepped() {
    enter('paused');
    document.dispatchEvent(new Event('paused'));
    say(`Step ${count(step)} is made: one batch of sentence pairs.`);
  },
  step(report) {
    step = report.step;
    const smooth = (old, now) => old === null ? now : .9 * old + .1 * now;
    speed = smooth(speed, report.tokens / report.seconds);
    secondsPerStep = smooth(secondsPerStep, Math.min(report.seconds, 10 * (secondsPerStep || report.seconds)));  // a machine may sleep
    lossChart.add(step, report.loss);
    showNumbers();
    document.dispatchEvent(new Event('step'));
  },
  look(report) {
    report.translations.forEach((translation, i) => remember(i, report.step, translation));
    map = report.map;
    showTranslations();
    showMap();
    showHistory();
  },
  measure({step, right, of}) {
    exactChart.add(step, 100 * right / of);
    byId('exact').textContent = `${right} of ${of}`;
    byId('exact-step').textContent = step > 0 ? `, step ${count(step)}` : '';
    // For those who cannot see the numbers; not the status, which would stand there when they have changed.
    if (step > 0 && step % 250 === 0)
      byId('measured').textContent = `Step ${count(step)}: ${right} of ${of} new sentences are translated exactly.`;
  },
  translated(report) {
    if (report.source && own?.source !== report.source) histories.own = [];
    own = report.source ? report : null;
    if (own) remember('own', report.step, report.translation);
    showAnswer(report);
    if (report.isAsked) byId('spoken').replaceChildren(
        ...Array.from(byId('answer').children, line => element('p', {lang: line.lang}, line.textContent)));
    if (own && (report.isAsked || chosen === 'own')) choose('own');
  },
  suggested({source}) {
    byId('text').value = source;
    order('translate', {text: source});
  },
  failed({message}) {
    enter('failed');
    byId('status').className = 'failed';
    keptNow = null;
    isOpening = false;
    say(`This browser could not do it: ${message}`);
  },
};

function showNumbers() {
  byId('progress').value = step;
  byId('steps').textContent = about ? `${count(step)} of ${count(about.steps)}` : '–';
  byId('loss').textContent = lossChart.points.length ? lossChart.curve().at(-1)[1].toFixed(2) : '–';
  byId('speed').textContent = speed ? count(speed) : '–';
  const seconds = about && secondsPerStep ? (about.steps - step) * secondsPerStep : null;
  byId('left').textContent = seconds === null ? '–' : seconds <= 0 ? 'none' :
      seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

// ---- sentences

const shortened = text => {  // a model that knows nothing repeats itself
  const words = text.split(' ');
  return words.length > 14 ? [...words.slice(0, 7), '…'] : words;
};
// The translation with its wrong words marked.
const germanOf = (translation, reference) => translation ? marked(shortened(translation), reference) :
    [element('span', {className: 'soft', lang: 'en'}, '(nothing)')];

function showSentences() {
  byId('sentences').replaceChildren(...about.sentences.map(({source}, i) => {
    const radio = element('input', {type: 'radio', name: 'sentence', value: i, checked: i === 0});
    radio.onchange = () => choose(i);
    return element('label', {className: 'sentence'}, radio, element('span', {className: 'english'}, source),
                   element('span', {className: 'german', lang: 'de'}), element('span', {className: 'reference', lang: 'de'}));
  }));
}

function showTranslations() {
  document.querySelectorAll('.sentence').forEach((row, i) => {
    const {reference} = about.sentences[i], translation = histories[i].at(-1).translation;
    const isRight = translation === reference;
    row.querySelector('.german').replaceChildren(...germanOf(translation, reference.split(' ')));
    row.querySelector('.german').classList.toggle('right', isRight);
    row.querySelector('.reference').textContent = isRight ? '' : `right: ${reference}`;
  });
}

let chosen = 0;  // a number, or 'own'
function choose(which) {
  if (state === 'starting') return;
  chosen = which;
  for (const radio of document.getElementsByName('sentence')) radio.checked = radio.value === String(which);
  if (which === 'own') {
    showMap();
    showHistory();
  } else {
    order('map', {sentence: which});
  }
}

function remember(i, step, translation) {
  const history = histories[i];
  if (!history.length || history.at(-1).translation !== translation) history.push({step, translation});
}

// At most twelve lines: the first, and then those that are farthest apart, up to the latest.
function showHistory() {
  const history = histories[chosen], most = 12, reference = about.sentences[chosen]?.reference.split(' ');
  const shown = history.length <= most ? history :
      Array.from({length: most}, (_, i) => history[Math.round(i * (history.length - 1) / (most - 1))])
          .filter(({translation}, i, all) => i === 0 || translation !== all[i - 1].translation);
  byId('history').replaceChildren(...shown.map(({step, translation}) =>
    element('li', {}, element('b', {}, count(step)),
            element('span', {lang: 'de'}, ...germanOf(translation, reference)))));
}

// ---- the attention map

const mostRows = 18;  // of a map: a model that knows nothing finds no end
let head = 'mean';
function chooseHead(value) {
  head = value;
  showMap();
}

function showMap() {
  const shown = chosen === 'own' ? own : map;
  if (!shown) return;
  if (!byId('heads').querySelector('input')) byId('heads').append(...headChips(shown.heads.length, head, chooseHead));
  const {rows, columns, heads} = shown;
  const weight = k => (head === 'mean' ? heads.reduce((sum, one) => sum + one[k], 0) / heads.length : heads[head][k]) / 1000;
  const shownRows = rows.length > mostRows ? rows.slice(0, mostRows - 1) : rows;
  const table = tableFor(shownRows, columns, rows.length - shownRows.length);
  table.querySelectorAll('td.weight').forEach((cell, k) => showWeight(cell, weight(k)));
}

// The table in the page, if it has these words already: then its cells change their shade softly. Below, it says how many
// rows are left out.
function tableFor(rows, columns, hidden) {
  const key = JSON.stringify([rows, columns, hidden]), old = byId('map').firstChild;
  if (old && old.dataset.key === key) return old;
  const header = element('tr', {}, element('td', {className: 'corner'}), ...columns.map(word =>
    element('th', {scope: 'col'}, element('span', {}, word))));
  const lines = rows.map(word => element('tr', {}, element('th', {scope: 'row', lang: 'de', title: word}, word),
                                         ...columns.map(() => element('td', {className: 'weight'}))));
  const cut = element('tr', {}, element('td', {className: 'corner'}),
                      element('td', {className: 'soft', colSpan: columns.length}, `… and ${hidden} more words`));
  const table = element('table', {}, element('thead', {}, header), element('tbody', {}, ...lines, ...(hidden ? [cut] : [])));
  table.dataset.key = key;
  table.setAttribute('aria-label', 'Attention weights: rows are German words, columns English words');
  byId('map').replaceChildren(table);
  return table;
}

// ---- the reader's sentence

function showAnswer(report) {
  if (!report.source) return byId('answer').replaceChildren(element('p', {}, 'Type an English sentence first.'));
  const notes = [`after step ${count(report.step)}`];
  if (report.unknown.length) notes.push(`the model lacks a piece of ${report.unknown.join(', ')}, and reads <unk> instead`);
  if (report.spelled.length) notes.push(`not in the grammar, so spelled from pieces: ${report.spelled.join(', ')}`);
  const lines = [element('p', {lang: 'de'}, ...germanOf(report.translation)),
                 element('p', {className: 'soft'}, notes.join('; '))];
  if (report.suggestion && report.unknown.length + report.spelled.length > 0) {
    if (byId('suggestion')?.textContent === report.suggestion)  // the button may have the focus
      return lines.forEach((line, i) => byId('answer').children[i].replaceWith(line));
    const button = element('button', {type: 'button', id: 'suggestion'}, report.suggestion);
    button.onclick = () => reactions.suggested({source: report.suggestion});
    lines.push(element('p', {className: 'soft'}, 'The grammar writes it so: ', button));
  }
  byId('answer').replaceChildren(...lines);
}

// ---- the reader's wishes

// While the model is opened to take it apart, nothing else begins.
const begin = action => () => { if (!isOpening) action(); };
byId('run').onclick = begin(() => order(state === 'training' ? 'pause' : 'run'));
byId('step').onclick = begin(() => order('step'));
byId('restart').onclick = begin(() => {
  byId('status').className = '';
  chosen = 0;
  enter('starting');
  say('Starting anew …');
  const seed = Math.max(0, Math.min(999999, Math.floor(Number(byId('seed').value)) || 0));
  byId('seed').value = seed;
  order('create', {seed});
});
byId('own').onsubmit = event => {
  event.preventDefault();
  order('translate', {text: byId('text').value});
};
byId('suggest').onclick = () => order('suggest', {number: Math.floor(Math.random() * 100)});
