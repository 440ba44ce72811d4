// ---- the beginning: stands behind all other parts of the page

// The module stands in the page compressed, as text.
const packed = Uint8Array.from(atob(byId('engine').textContent), character => character.charCodeAt(0));
const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
Promise.all([new Response(unpacked).arrayBuffer(), keptRun()]).then(([buffer, kept]) => {
  if (kept) byId('seed').value = kept.seed;
  order('load', {bytes: new Uint8Array(buffer), seed: kept?.seed ?? 1, parcel: kept?.parcel}, [buffer]);
});
