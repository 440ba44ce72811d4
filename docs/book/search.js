'use strict';
// Searches all pages of the book, which it reads where they stand, and marks the page that is shown in the contents.
const query = document.getElementById('query'), found = document.getElementById('found');
const results = document.getElementById('results'), form = query.form, bookTitle = document.title;
let sections;  // {id, title, page, text, folded}: a heading, and what stands below it up to the next

function readSections() {
  const list = [];
  for (const article of document.querySelectorAll('article')) {
    const page = article.querySelector('h1').textContent;
    for (const element of article.children) {
      if (element.matches('h1')) list.push({id: article.id, title: page, page: '', text: ''});
      else if (element.matches('h2, h3, h4')) list.push({id: element.id, title: element.textContent, page, text: ''});
      else if (!element.matches('.sections, .turn')) list.at(-1).text += element.textContent + ' ';
    }
  }
  for (const section of list) {
    section.text = section.text.replace(/\s+/g, ' ');
    section.heading = section.title.toLowerCase();
    section.folded = section.text.toLowerCase();
  }
  return list;
}

// A pattern for what begins with this word: "rope" is in "RoPE", but not in "property".
function beginning(word) {
  return new RegExp('(?<![\\p{L}\\p{N}])' + word.replace(/[\\^$.*+?()[\]{}|\/]/g, '\\$&'), 'gu');
}

// How well a section fits: 0 if a word is missing. A word in a heading counts for ten in the text, one within another
// word for a tenth, and a short text for more than a long one.
function fit({heading, folded}, words, beginnings) {
  let sum = 0;
  for (let i = 0; i < words.length; ++i) {
    const times = Math.min(folded.match(beginnings[i])?.length ?? 0, 15) + (heading.match(beginnings[i]) ? 10 : 0);
    if (times === 0 && !folded.includes(words[i]) && !heading.includes(words[i])) return 0;
    sum += times + 0.1;
  }
  return sum / Math.sqrt(folded.length + 1000);
}

// The text around the first word that occurs, with all words marked.
function excerpt({text, folded}, words) {
  const first = Math.min(...words.map(word => folded.indexOf(word)).filter(at => at >= 0), text.length);
  const start = first === text.length || first < 60 ? 0 : text.indexOf(' ', first - 60) + 1;
  const part = text.slice(start, start + 180), line = document.createElement('span');
  for (let at = 0; at < part.length;) {
    const here = part.toLowerCase();
    const [next, word] = words.map(word => [here.indexOf(word, at), word]).filter(([i]) => i >= 0)
        .sort(([i], [j]) => i - j)[0] ?? [part.length, ''];
    line.append(part.slice(at, next));
    if (word) line.appendChild(document.createElement('mark')).textContent = part.slice(next, next + word.length);
    at = next + word.length;
  }
  return line;
}

function search() {
  sections ??= readSections();
  const words = query.value.toLowerCase().split(/\s+/).filter(word => word !== '');
  const beginnings = words.map(beginning);
  const hits = words.length === 0 ? [] : sections.map(section => ({section, sum: fit(section, words, beginnings)}))
      .filter(({sum}) => sum > 0).sort((a, b) => b.sum - a.sum);
  found.textContent = words.length === 0 ? '' : hits.length === 1 ? '1 section' : `${hits.length} sections`;
  results.replaceChildren(...hits.slice(0, 30).map(({section}) => {
    const item = document.createElement('li'), link = item.appendChild(document.createElement('a'));
    link.href = '#' + section.id;
    link.appendChild(document.createElement('b')).textContent = section.title;
    if (section.page) link.append(section.page + ' · ');
    link.append(excerpt(section, words));
    return item;
  }));
}

function close() {
  results.replaceChildren();
  found.textContent = '';
}

function move(by) {
  const places = [query, ...results.querySelectorAll('a')];
  places[places.indexOf(document.activeElement) + by]?.focus();
}

form.hidden = false;
query.addEventListener('input', search);
query.addEventListener('focus', search);
form.addEventListener('submit', event => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
results.addEventListener('click', event => { if (event.target.closest('a')) close(); });
document.addEventListener('click', event => { if (!form.contains(event.target)) close(); });
form.addEventListener('keydown', event => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    move(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Escape') {
    query.value = '';
    close();
    query.focus();
  }
});
document.addEventListener('keydown', event => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === query) return;
  event.preventDefault();
  query.focus();
  query.select();
});

function markPage() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const article = target?.closest('article') ?? document.querySelector('article');
  document.title = article.id === 'book' ? bookTitle : `${article.querySelector('h1').textContent} · ${bookTitle}`;
  document.querySelector('.skip').setAttribute('href', '#' + article.id);
  document.querySelector('header nav [aria-current]')?.removeAttribute('aria-current');
  const link = document.querySelector(`header nav a[href="#${CSS.escape(article.id)}"]`);
  link?.setAttribute('aria-current', 'page');
  link?.scrollIntoView({block: 'nearest'});
}
addEventListener('hashchange', markPage);
markPage();
