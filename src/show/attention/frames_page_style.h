// The style of the page of `plainformer attention --frames`.
#pragma once

namespace plainformer {

inline constexpr char kFramesPageStyle[] = R"(
body { max-width: 68rem; margin: 0 auto; padding: 1.6rem clamp(1rem, 4vw, 3rem) 4rem; }
h1 { font-size: 1.6rem; font-weight: 600; letter-spacing: -.01em; line-height: 1.25; margin: 0 0 .8rem; }
h2 { font-size: 1.05rem; font-weight: 600; margin: 0 0 .2rem; }
p { margin: .3rem 0; max-width: 46rem; } .soft { color: var(--soft); font-size: .9rem; }
section { margin-top: 1.6rem; min-width: 0; }
dl.about { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0; }
dl.about dt { color: var(--soft); } dl.about dd { margin: 0; overflow-wrap: anywhere; }
.two { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 0 3rem; }
.player { position: sticky; top: 0; z-index: 1; margin: 1.2rem -1rem 0; padding: .8rem 1rem; background: var(--panel);
  border-radius: .6rem; }
.player .keys { margin: 0; font-size: .8rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
button { font: inherit; color: inherit; padding: .4rem .9rem; min-height: 2.6rem; border: 1px solid var(--line);
  border-radius: .4rem; background: var(--paper); cursor: pointer; }
button:hover:enabled { border-color: var(--accent); } button:disabled { opacity: .5; cursor: default; }
button.main { min-width: 6rem; background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 600; }
#step { margin-left: .6rem; font-weight: 600; font-variant-numeric: tabular-nums; }
#slider { display: block; width: 100%; min-height: 2rem; margin: .3rem 0; accent-color: var(--accent); }
#translation { font-size: 1.15rem; min-height: 3.3rem; max-width: none; overflow-wrap: anywhere; }
#translation.right::before { content: "\2713  "; color: rgb(var(--cool)); }
.wrong { text-decoration: underline wavy rgb(var(--warm)) 1px; text-underline-offset: .2em; }
fieldset { border: 0; margin: .5rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: .35rem; min-width: 0; }
legend { float: left; padding: .25rem .5rem .25rem 0; color: var(--soft); font-size: .9rem; }
.chip { display: inline-flex; align-items: center; gap: .4rem; padding: .15rem .7rem; border: 1px solid var(--line);
  border-radius: 1rem; cursor: pointer; font-size: .9rem; }
.chip:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.chip:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
.chip input { margin: 0; accent-color: var(--accent); }
.scroll { overflow-x: auto; max-width: 100%; }
#map table { border-collapse: separate; border-spacing: 2px; table-layout: fixed; font-size: .85rem;
  width: min(100%, 6rem + var(--columns) * 2.6rem); min-width: calc(4.8rem + var(--columns) * 1.05rem); }
#map.cut { mask-image: linear-gradient(to left, transparent, #000 3rem); }
#map.wide + .more { display: block; } .more { display: none; margin: 0; }
th { font-weight: 400; text-align: left; }
#map th[scope=row], #map td.corner { width: 6rem; }
#map th[scope=row] { position: sticky; left: 0; background: var(--paper); text-align: right; padding-right: .4rem;
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#map th[scope=col] { vertical-align: bottom; padding: 0 0 .3rem; }
#map th[scope=col] span { display: block; margin: 0 auto; writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap;
  max-height: 10rem; overflow: hidden; }
td.weight { height: 1.7rem; padding: 0; text-align: center; font-size: .68rem; border-radius: .2rem; color: transparent;
  background: color-mix(in srgb, rgb(var(--cool)) calc(var(--w) * 100%), var(--panel)); }
td.weight.some { color: var(--ink); } td.weight.strong { color: var(--paper); }
.numbers { display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; margin: .4rem 0; font-variant-numeric: tabular-nums; }
.numbers dt { color: var(--soft); font-size: .8rem; } .numbers dd { margin: 0; font-weight: 600; }
.numbers i { display: inline-block; width: 1.2rem; margin-right: .4rem; vertical-align: .25em; border-top: 2px solid rgb(var(--cool)); }
.numbers i.sentence { border-top: 2px dashed rgb(var(--warm)); }
#chart svg { display: block; width: 100%; overflow: visible; } #chart text { font-size: 12px; fill: var(--soft); }
#chart .grid { stroke: var(--line); } #chart .now { stroke: var(--ink); }
#chart path { fill: none; stroke: rgb(var(--cool)); stroke-width: 2; stroke-linejoin: round; }
#chart path.sentence { stroke: rgb(var(--warm)); stroke-dasharray: 5 3; }
#chart circle { fill: rgb(var(--cool)); } #chart circle.sentence { fill: rgb(var(--warm)); }
details { margin-top: 1.8rem; } summary { cursor: pointer; font-weight: 600; padding: .2rem 0; }
#list table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
#list td, #list th { padding: .15rem .8rem .15rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
#list th[scope=row] { text-align: right; } #list td:last-child { min-width: 14rem; overflow-wrap: anywhere; }
footer { margin-top: 2.5rem; font-size: .85rem; color: var(--soft); }
@media (prefers-reduced-motion: no-preference) { td.weight { transition: background-color .15s; } }
@media (max-width: 52rem) { .two { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 36rem) {
  h1 { font-size: 1.35rem; } legend { width: 100%; } #map th[scope=row], #map td.corner { width: 4.8rem; } .player .keys { display: none; }
  td.weight { height: 1.4rem; font-size: 0; } dl.about { grid-template-columns: 1fr; }
}
@media (max-height: 30rem) { .player { position: static; } }
@media print { .player, #heads, .more { display: none !important; } section { break-inside: avoid; } #map { mask-image: none !important; } td.weight { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
)";

}  // namespace plainformer
