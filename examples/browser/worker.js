// The worker: trains step by step, and answers the page between two steps. It stands behind engine.js in one file.

const secondsBetweenLooks = 2, stepsBetweenLooks = 10, stepsBetweenMeasures = 50;
let engine, live, bytes, lastStep = 0, lastSteps = 0, running = false, looked = 0, mapped = 0, typed = '', opened = '';

const tell = (name, content) => postMessage({name, ...content});

function look() {
  looked = performance.now();
  tell('look', {step: lastStep, translations: engine.ask('look'), map: engine.ask('attend', mapped)});
  if (typed) translate(false);
}

// isAsked: by the reader, and not only because the model has changed.
function translate(isAsked) {
  tell('translated', {isAsked, step: lastStep, ...engine.tell('translate', typed)});
}

function measure() {
  tell('measure', engine.ask('measure'));
}

function advance() {
  const begin = performance.now(), report = engine.ask('step');
  lastStep = report.step;
  tell('step', {...report, seconds: (performance.now() - begin) / 1000});
  if (lastStep % stepsBetweenMeasures === 0) measure();
}

function isTimeToLook() {
  return lastStep <= 5 || lastStep % stepsBetweenLooks === 0 ||
         performance.now() - looked > 1000 * secondsBetweenLooks;
}

// One step; then the messages that came meanwhile; then the next.
function run() {
  if (!running) return;
  attempt(() => {
    advance();
    if (isTimeToLook()) look();
    if (lastStep === lastSteps) orders.pause();
    setTimeout(run);
  });
}

const orders = {
  async load(order) {
    bytes = order.bytes;
    await orders.create(order);
  },
  // A new engine each time: the memory of the old one goes with it.
  async create({seed, parcel}) {
    running = false;
    engine = await loadEngine(bytes);
    lastStep = mapped = 0;
    typed = '';
    const description = engine.ask('create', seed);
    if (parcel) lastStep = engine.tell('restore', parcel).step;
    lastSteps = description.steps;
    tell('created', {seed, step: lastStep, ...description});
    look();
    measure();
  },
  run() {
    if (running) return;
    running = true;
    tell('running');
    setTimeout(run);
  },
  pause() {
    if (!running) return;
    running = false;
    tell('paused');
    look();
  },
  step() {
    running = false;
    advance();
    look();
    tell('stepped');
  },
  map({sentence}) {
    mapped = sentence;
    look();
  },
  translate({text}) {
    typed = text.trim();
    translate(true);
  },
  keep() {
    const parcel = engine.fetchBytes('keep');
    postMessage({name: 'kept', step: lastStep, parcel}, [parcel.buffer]);
  },
  // A model to take apart, in an engine of its own, so that no change of it reaches the training. Without a source it is
  // the small model of docs/page-model.
  async open({source}) {
    running = false;
    try {
      live = await loadEngine(bytes);
      opened = source === undefined ? '' : engine.fetchBytes('keep', source);
      live.tell('live_open', opened);
      tell('opened', live.tell('live_change', '{"page": true}'));
    } catch (error) {
      tell('opened', {error: error.message});
    }
  },
  change({number, request}) {
    try {
      if (request.anew) live.tell('live_open', opened);
      tell('changed', {number, answer: live.tell('live_change', JSON.stringify(request))});
    } catch (error) {
      tell('changed', {number, error: error.message});
    }
  },
  close() {
    live = undefined;
    opened = '';
  },
  suggest({number}) { tell('suggested', engine.ask('suggest', number)); },
};

async function attempt(action) {
  try {
    await action();
  } catch (error) {
    running = false;
    tell('failed', {message: error.message ?? String(error)});
  }
}

// One order after the other, also while one waits for a new engine.
let turn = Promise.resolve();
onmessage = event => { turn = turn.then(() => attempt(() => orders[event.data.order](event.data))); };
