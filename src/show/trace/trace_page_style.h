// Style and script of the page of a trace. The script opens and closes many parts at once, finds tensors by
// name, and follows links into closed parts. The page can be read without it.
#pragma once

namespace plainformer {

inline constexpr char kTracePageStyle[] = R"(
body { max-width: 90rem; margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 3rem) 6rem; }
h1 { font-size: 1.6rem; font-weight: 600; letter-spacing: -.01em; margin: 0 0 1rem; }
h2, h3, h4 { display: inline; font-weight: 600; }
h2 { font-size: 1.25rem; } h3 { font-size: 1.05rem; } h4 { font-size: 1rem; font-weight: 500; }
p { margin: .4rem 0; } .soft { color: var(--soft); }
dl.about { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0 0 1.5rem; }
dl.about dt { color: var(--soft); } dl.about dd { margin: 0; overflow-wrap: anywhere; }
dl.about .sentence { font-size: 1.15rem; }
.tools { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .6rem; align-items: center;
  padding: .6rem 0; background: var(--paper); border-bottom: 1px solid var(--line); }
.tools button, .tools input { font: inherit; font-size: .9rem; color: var(--ink); background: var(--panel);
  border: 1px solid var(--line); border-radius: .4rem; padding: .3rem .7rem; }
.tools input { flex: 1 1 14rem; min-width: 0; max-width: 26rem; }
.tools output { color: var(--soft); font-size: .9rem; }
details > summary { cursor: pointer; padding: .3rem .2rem; border-radius: .3rem; scroll-margin-top: 4rem; }
details > summary:hover { background: var(--panel); }
details[hidden], .tools[hidden] { display: none; }
.pass { margin-top: 1.6rem; }
.layer, .part { margin-left: 1.1rem; }
.layer { border-left: 1px solid var(--line); padding-left: .6rem; }
.count { color: var(--soft); font-size: .85rem; margin-left: .5rem; }
.record { margin-left: 1.1rem; scroll-margin-top: 4rem; }
.record > summary { display: flex; flex-wrap: wrap; gap: .1rem .9rem; align-items: baseline; }
.record > summary::before { content: "\25B8"; color: var(--soft); width: .7em; margin-right: -.4rem; }
.record[open] > summary::before { content: "\25BE"; }
.record > summary::-webkit-details-marker { display: none; }
.record code { font: 600 .95rem var(--mono); }
.equation, .shape { font: .85rem var(--mono); overflow-wrap: anywhere; }
.shape, .section { color: var(--soft); } .section { font-size: .85rem; margin-left: auto; }
.body { margin: .2rem 0 1.4rem 1.3rem; }
dl.all { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .2rem 0 .6rem; font-size: .85rem; }
dl.all div { display: flex; gap: .4rem; } dl.all dt { color: var(--soft); }
dl.all dd { margin: 0; font-family: var(--mono); font-variant-numeric: tabular-nums; }
.heads { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; align-items: flex-start; }
.head { max-width: 100%; } .head > summary { font-size: .85rem; color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: separate; border-spacing: 1px; font: .78rem var(--mono);
  font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); font-family: var(--text); padding: .1rem 0 .2rem; }
td, th { padding: .12rem .3rem; text-align: right; white-space: nowrap; }
th { font-weight: 500; color: var(--soft); }
th[scope=row] { position: sticky; left: 0; background: var(--paper); }
td { min-width: 3.1rem; border-radius: 2px; } td.z { color: var(--soft); }
td bdi { font-family: var(--text); font-size: .85rem; margin-right: .35rem; }
.w1 { background: rgb(var(--warm) / .05); } .w2 { background: rgb(var(--warm) / .1); }
.w3 { background: rgb(var(--warm) / .16); } .w4 { background: rgb(var(--warm) / .22); }
.w5 { background: rgb(var(--warm) / .28); } .w6 { background: rgb(var(--warm) / .35); }
.w7 { background: rgb(var(--warm) / .42); } .w8 { background: rgb(var(--warm) / .5); }
.w9 { background: rgb(var(--warm) / .58); }
.c1 { background: rgb(var(--cool) / .05); } .c2 { background: rgb(var(--cool) / .1); }
.c3 { background: rgb(var(--cool) / .16); } .c4 { background: rgb(var(--cool) / .22); }
.c5 { background: rgb(var(--cool) / .28); } .c6 { background: rgb(var(--cool) / .35); }
.c7 { background: rgb(var(--cool) / .42); } .c8 { background: rgb(var(--cool) / .5); }
.c9 { background: rgb(var(--cool) / .58); }
.key { display: inline-block; min-width: 1.6em; padding: 0 .4em; border-radius: 2px; text-align: center; }
a { color: var(--accent); }
@media (max-width: 40rem) {
  body { padding: 1.2rem .8rem 4rem; } h1 { font-size: 1.35rem; }
  .layer, .part, .record { margin-left: .3rem; } .layer { padding-left: .4rem; } .body { margin-left: .3rem; }
  dl.about { grid-template-columns: 1fr; } dl.about dd { margin-bottom: .4rem; }
  .section { margin-left: 0; }
}
@media print {
  :root { font-size: 11px; } body { padding: 0; max-width: none; font-size: 1rem; } .tools { display: none; }
  .scroll { overflow: visible; } table, .record > summary { break-inside: avoid; }
  td { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
)";

inline constexpr char kTracePageScript[] = R"('use strict';
const parts = Array.from(document.querySelectorAll('main details'));
const records = parts.filter(part => part.classList.contains('record'));
// A record is found by its name, its section and the words of the headings above it.
function wordsOf(record) {
  let words = record.id + ' ' + record.querySelector('.section').textContent;
  for (let at = record.parentElement; at; at = at.parentElement)
    if (at.tagName === 'DETAILS') words += ' ' + at.querySelector('summary').textContent;
  return words.toLowerCase();
}
const words_of_records = new Map(records.map(record => [record, wordsOf(record)]));
const find = document.getElementById('find'), found = document.getElementById('found');
function openTo(element) {
  for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
}
function follow() {
  const element = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!element) return;
  if (find.value) {  // which may hide it
    find.value = '';
    filter();
  }
  openTo(element);
  element.scrollIntoView();
}
function filter() {
  const words = find.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const matches = records.filter(record => words.every(word => words_of_records.get(record).includes(word)));
  for (const part of parts) part.hidden = words.length > 0 && !part.classList.contains('head');
  for (const record of matches)
    for (let at = record; at; at = at.parentElement)
      if (at.tagName === 'DETAILS') {
        at.hidden = false;
        if (words.length > 0 && (at !== record || matches.length === 1)) at.open = true;
      }
  found.textContent = words.length > 0 ? matches.length + ' of ' + records.length + ' tensors' : '';
}
document.getElementById('open').addEventListener('click', () => parts.forEach(part => part.open = true));
document.getElementById('close').addEventListener('click', () => parts.forEach(part => part.open = false));
find.addEventListener('input', filter);
addEventListener('hashchange', follow);
document.querySelector('.tools').hidden = false;
follow();
)";

}  // namespace plainformer
