'use strict';
// The module of engine.cpp: loads it, and calls its functions. It needs nothing of Emscripten's JavaScript.

// Loads the bytes of the module, with variables of the environment such as {PLAINFORMER_KERNELS: 'scalar'}.
async function loadEngine(bytes, variables = {}) {
  const module = await WebAssembly.compile(bytes);
  let exports;
  const view = () => new DataView(exports.memory.buffer);
  const bytesAt = (address, length) => new Uint8Array(exports.memory.buffer, address, length);
  const entries = Object.entries(variables).map(pair => new TextEncoder().encode(pair.join('=') + '\0'));

  // The requests of the operating system that have an answer in a tab. (Its names: WASI preview 1.)
  const answers = {
    clock_time_get(clock, precision, result) {
      view().setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get(count, length) {
      view().setUint32(count, entries.length, true);
      view().setUint32(length, entries.reduce((sum, entry) => sum + entry.length, 0), true);
      return 0;
    },
    environ_get(pointers, text) {
      for (const entry of entries) {
        view().setUint32(pointers, text, true);
        bytesAt(text, entry.length).set(entry);
        pointers += 4;
        text += entry.length;
      }
      return 0;
    },
    fd_write(file, parts, count, result) {  // progress on stderr, which the page shows in its own way
      let length = 0;
      for (let i = 0; i < count; ++i) length += view().getUint32(parts + 8 * i + 4, true);
      view().setUint32(result, length, true);
      return 0;
    },
    proc_exit(code) { throw new Error(`the engine stopped with code ${code}`); },
  };
  const unsupported = 52, imports = {};
  for (const {module: room, name} of WebAssembly.Module.imports(module))
    (imports[room] ??= {})[name] = answers[name] ?? (() => unsupported);

  exports = (await WebAssembly.instantiate(module, imports)).exports;
  exports._initialize();

  // Calls a function of engine.cpp, and reads its answer.
  function ask(question, ...numbers) {
    const address = exports[question](...numbers), memory = new Uint8Array(exports.memory.buffer);
    const answer = JSON.parse(new TextDecoder().decode(memory.subarray(address, memory.indexOf(0, address))));
    if (answer.error) throw new Error(answer.error);
    return answer;
  }
  // Calls one that reads a text or bytes.
  function tell(question, text) {
    const sent = typeof text === 'string' ? new TextEncoder().encode(text) : text, address = exports.text_of_length(sent.length);
    bytesAt(address, sent.length).set(sent);
    return ask(question);
  }
  // Calls one that answers with the place of bytes, and copies them.
  function fetchBytes(question, text = '') {
    const {address, bytes: length} = tell(question, text);
    return bytesAt(address, length).slice();
  }
  return {ask, tell, fetchBytes};
}
