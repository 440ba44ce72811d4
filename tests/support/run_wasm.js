'use strict';
// Runs a program that was compiled to WebAssembly, with node's files and standard streams: node run_wasm.js PROGRAM [ARGUMENTS]
const fs = require('fs'), {WASI} = require('wasi');

async function main(args) {
  const wasi = new WASI({version: 'preview1', args, env: process.env});
  const module = await WebAssembly.compile(fs.readFileSync(args[0])), imports = wasi.getImportObject();
  const unsupported = -52;  // ENOSYS: what Emscripten asks for beyond WASI
  for (const {module: room, name} of WebAssembly.Module.imports(module))
    (imports[room] ??= {})[name] ??= () => unsupported;
  process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));
}

main(process.argv.slice(2));
