// ---- the model between two visits, in this browser's IndexedDB, if the reader wants it

const stepsBetweenKeeps = 100;

// Runs an action on the store: {result}, or {error} where the browser keeps nothing.
async function inStore(mode, action) {
  try {
    const opening = indexedDB.open('plainformer', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('runs');
    const done = request => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const database = await done(opening);
    try {
      const transaction = database.transaction('runs', mode);
      const stored = new Promise((resolve, reject) => {  // what is only asked for could still be lost
        transaction.oncomplete = resolve;
        transaction.onabort = () => reject(transaction.error);
      });
      const [result] = await Promise.all([done(action(transaction.objectStore('runs'))), stored]);
      return {result};
    } finally {
      database.close();
    }
  } catch (error) {
    return {error: error.message || String(error)};
  }
}

let keptNow = null;  // the run of the last visit, until it is on the page
async function keptRun() {
  const {result, error} = await inStore('readonly', store => store.get('run'));
  byId('keep').disabled = error !== undefined;
  if (error !== undefined) byId('kept').textContent = `This browser keeps nothing for this page: ${error}`;
  byId('keep').checked = result !== undefined;
  byId('forget').disabled = result === undefined;
  return keptNow = result ?? null;
}
function keep() { if (byId('keep').checked) order('keep'); }

Object.assign(reactions, {
  async kept({step, parcel}) {
    if (!byId('keep').checked) return;  // forgotten meanwhile
    const run = {seed: seedOfRun, step, parcel, losses: lossChart.points, exact: exactChart.points};
    const {error} = await inStore('readwrite', store => store.put(run, 'run'));
    if (!byId('keep').checked) return;
    byId('forget').disabled = error !== undefined;
    byId('kept').textContent = error === undefined ?
        `Kept after step ${count(step)}: ${(parcel.length / 1e6).toFixed(1)} MB in this browser, and nowhere else.` :
        `It could not be kept: ${error}`;
  },
});

let seedOfRun = 1;
document.addEventListener('created', () => {
  seedOfRun = about.seed;
  if (!keptNow) return keep();
  lossChart.points = keptNow.losses;
  exactChart.points = keptNow.exact.filter(([at]) => at < step);  // this step is measured anew
  for (const chart of [lossChart, exactChart]) chart.draw();
  byId('forget').disabled = false;
  byId('kept').textContent = `Kept from your last visit, after step ${count(keptNow.step)}.`;
  keptNow = null;
  showNumbers();
});
document.addEventListener('step', () => { if (state === 'training' && step % stepsBetweenKeeps === 0) keep(); });
document.addEventListener('paused', keep);
byId('keep').onchange = () => {
  if (byId('keep').checked) return keep();
  byId('kept').textContent = 'What was kept so far stays until you forget it; nothing newer is kept.';
};
byId('forget').onclick = async () => {
  byId('keep').checked = false;
  byId('forget').disabled = true;
  const {error} = await inStore('readwrite', store => store.delete('run'));
  byId('kept').textContent = error === undefined ? 'Forgotten: closing the tab loses the model.' :
                                                   `It could not be forgotten: ${error}`;
};
