// The style of the page of `plainformer attention`.
#pragma once

namespace plainformer {

inline constexpr char kAttentionPageStyle[] = R"(
:root { --h0: 9 105 218; --h1: 207 74 0; --h2: 26 127 55; --h3: 130 80 223; --h4: 191 57 137; --h5: 125 97 0; }
@media screen and (prefers-color-scheme: dark) {
  :root { --h0: 88 166 255; --h1: 240 136 62; --h2: 86 211 100; --h3: 188 140 255; --h4: 247 120 186;
    --h5: 212 167 44; }
}
body { max-width: 90rem; margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 3rem) 4rem; }
h1 { font-size: 1.6rem; font-weight: 600; letter-spacing: -.01em; margin: 0 0 .8rem; }
h2 { font-size: 1.05rem; font-weight: 600; margin: 0 0 .6rem; }
p { margin: .4rem 0; max-width: 46rem; } .soft { color: var(--soft); }
dl.about { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0 0 1.2rem; }
dl.about dt { color: var(--soft); } dl.about dd { margin: 0; overflow-wrap: anywhere; }
fieldset { position: relative; border: 0; margin: 0; padding: 0 0 0 4.4rem; min-width: 0; display: flex; flex-wrap: wrap;
  gap: .35rem; }
legend { position: absolute; left: 0; padding: .25rem 0; color: var(--soft); }
.top { display: flex; flex-wrap: wrap; gap: 1.2rem 3rem; align-items: flex-start; }
.top section { margin: 0; max-width: 100%; }
.controls { flex: 1 1 24rem; display: grid; gap: .6rem; padding: .9rem 1rem; background: var(--panel);
  border-radius: .6rem; min-width: 0; }
.chip { display: inline-flex; align-items: center; gap: .45rem; padding: .2rem .7rem; background: var(--paper);
  border: 1px solid var(--line); border-radius: 1rem; cursor: pointer; font: inherit; color: inherit; }
.chip:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.chip:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.chip input { margin: 0; accent-color: var(--accent); }
.chip i { width: 1.3rem; height: 0; border-top: 3px solid rgb(var(--c)); }
.chip i.dash { border-top-style: dashed; } .chip i.dot { border-top-style: dotted; }
section { margin-top: 1.8rem; min-width: 0; }
.scroll { overflow-x: auto; max-width: 100%; }
.overview { display: grid; gap: .3rem; width: max-content; align-items: center; padding: 2px; }
.overview > span { font-size: .82rem; color: var(--soft); text-align: center; padding-right: .5rem; }
.thumb { padding: 3px; background: none; border: 1px solid var(--line); border-radius: .35rem; cursor: pointer;
  line-height: 0; }
.thumb:hover, .thumb[aria-pressed=true] { border-color: var(--accent); }
.thumb[aria-pressed=true] { box-shadow: 0 0 0 1px var(--accent); }
.thumb svg { width: 4.2rem; height: 4.2rem; background: var(--paper); }
.views { display: grid; grid-template-columns: minmax(20rem, 28rem) minmax(0, 1fr); gap: 0 2.4rem; }
.figure { display: grid; grid-template-columns: fit-content(40%) minmax(4rem, 1fr) fit-content(40%);
  max-width: 34rem; }
.figure > div { color: var(--soft); font-size: .85rem; padding: 0 .5rem .3rem; }
.figure > :first-child { text-align: right; }
.figure svg { width: 100%; display: block; overflow: visible; }
.figure path { fill: none; stroke-width: 2; stroke-linecap: round; vector-effect: non-scaling-stroke; }
ol.words { list-style: none; margin: 0; padding: 0; min-width: 0; }
ol.words li { height: 28px; }
.word { display: block; width: 100%; height: 26px; margin: 1px 0; padding: 0 .5rem; border: 0; border-radius: .25rem;
  background: none; color: inherit; font: inherit; line-height: 26px; text-align: left; cursor: pointer;
  white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.queries .word { text-align: right; }
.figure.focused .word { color: var(--soft); }
.figure.focused .word.seen, .figure.focused .word.chosen { color: var(--ink); }
.word.chosen { font-weight: 600; } .word[aria-pressed=true] { text-decoration: underline; }
#status { min-height: 4.6rem; max-width: none; margin-top: .8rem; padding: .5rem .8rem; border-left: 3px solid var(--line); }
#status b { font-weight: 600; } #status span { display: block; }
.maps { display: flex; flex-wrap: wrap; gap: 1.2rem 1.4rem; align-items: flex-start; }
figure { margin: 0; min-width: 0; max-width: 100%; } figcaption { font-size: .9rem; margin-bottom: .2rem; }
.more-right { mask-image: linear-gradient(to left, transparent, #000 3rem); }
.more-left { mask-image: linear-gradient(to right, transparent, #000 3rem); }
.more-left.more-right { mask-image: linear-gradient(to right, transparent, #000 3rem calc(100% - 3rem), transparent); }
figure.wide::after { content: "\2194  scroll to see the rest"; display: block; font-size: .82rem; color: var(--soft); }
.maps text { font-size: 12px; fill: var(--ink); } .maps text.number { font-size: 9px; pointer-events: none; }
.maps text.inside { fill: var(--paper); } .grid { stroke: var(--line); stroke-width: 1; fill: none; }
.cursor { fill: none; stroke: var(--ink); stroke-width: 1.5; pointer-events: none; }
details { margin-top: 1.8rem; } summary { cursor: pointer; font-weight: 600; padding: .2rem 0; }
table { border-collapse: collapse; font: .8rem var(--mono); font-variant-numeric: tabular-nums; margin: .6rem 0 1.4rem; }
caption { text-align: left; color: var(--soft); font-family: var(--text); padding: .2rem 0; }
td, th { padding: .15rem .45rem; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line); }
th { font-weight: 500; } th[scope=row] { position: sticky; left: 0; background: var(--paper); }
footer { margin-top: 2.5rem; font-size: .85rem; color: var(--soft); }
noscript svg { max-width: 100%; height: auto; }
@media (max-width: 60rem) { .views { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 36rem) { fieldset { padding-left: 0; } legend { position: static; width: 100%; }
  .thumb svg { width: 3.2rem; height: 3.2rem; } .overview > span { padding: 0; } }
@media print {
  .scroll { overflow: visible; mask-image: none !important; } figure.wide::after { display: none; }
  body { padding: 0; max-width: none; } .controls { padding: 0; }
  #kinds, #layers, #overview, .chip:not(:has(:checked)), #status:has(.soft) { display: none; }
  .views { display: block; } .figure { max-width: 30rem; } figure, .figure { break-inside: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)";

}  // namespace plainformer
