// ---- the beginning: stands behind all other parts of the page

// The module stands in the page compressed, as text.
async function load() {
  enter('starting');  // a browser may remember over a reload what was enabled
  byId('keep').disabled = byId('forget').disabled = true;
  const packed = Uint8Array.from(atob(byId('engine').textContent), character => character.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const [buffer, kept] = await Promise.all([new Response(unpacked).arrayBuffer(), keptRun()]);
  byId('seed').value = kept?.seed ?? 1;
  order('load', {bytes: new Uint8Array(buffer), seed: kept?.seed ?? 1, parcel: kept?.parcel}, [buffer]);
}
load().catch(error => reactions.failed({message: error.message}));
