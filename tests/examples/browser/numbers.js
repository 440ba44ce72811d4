'use strict';
// Trains without a page, and compares the loss of each step with the log of the program, bit by bit:
//   node numbers.js engine.wasm engine.js log.jsonl
const fs = require('fs');

const hexadecimal = number => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(number);
  return bytes.toString('hex');
};

// The losses that `plainformer train` has written, in order. Their digits read back as the same double.
function lossesOf(log) {
  const entries = fs.readFileSync(log, 'utf8').trim().split('\n').map(line => JSON.parse(line));
  return entries.filter(entry => 'loss' in entry).map(entry => entry.loss);
}

async function main([moduleFile, scriptFile, log]) {
  const loadEngine = new Function(fs.readFileSync(scriptFile, 'utf8') + '; return loadEngine;')();
  const expected = lossesOf(log);
  if (expected.length < 10) throw new Error(`${log} has only ${expected.length} steps`);
  for (const kernels of ['wasm', 'scalar']) {
    const engine = await loadEngine(fs.readFileSync(moduleFile), {PLAINFORMER_KERNELS: kernels});
    const used = engine.ask('create', 1).kernels;
    if (used !== kernels) throw new Error(`the kernels are ${used}, not ${kernels}`);
    const begin = performance.now();
    expected.forEach((loss, i) => {
      const own = engine.ask('step').loss;
      if (hexadecimal(own) !== hexadecimal(loss))
        throw new Error(`${kernels}, step ${i + 1}: ${own} (${hexadecimal(own)}), not ${loss} (${hexadecimal(loss)})`);
    });
    const seconds = (performance.now() - begin) / 1000;
    console.log(`${kernels}: ${expected.length} steps with the program's bits, ${(seconds / expected.length).toFixed(2)} s a step`);
  }
}

main(process.argv.slice(2));
