'use strict';
// A book of pages that would like to be more than text: node visit_odd.js CHROMIUM book.html
const assert = require('assert'), {Tab} = require('../examples/browser/tab.js');

async function main([command, book]) {
  const tab = await Tab.open(command, book);
  try {
    const all = (selector, value) =>
        tab.value(`Array.from(document.querySelectorAll(${JSON.stringify(selector)}), e => ${value})`);
    assert.deepEqual(tab.console, []);
    assert.equal(tab.requests.filter(url => !url.startsWith('data:')).length, 1);
    assert.deepEqual(await all('script, [onclick], [onerror], [href^="javascript:" i]', 'e.tagName'), ['SCRIPT']);
    const name = 'Odd <b>title</b> & “quotes” </title><script>failed()</script>';
    assert.deepEqual(await all('article h1', 'e.textContent'), ['Contents', name]);
    assert.deepEqual(await all('article:last-of-type, header nav a', 'e.ariaLabel ?? e.textContent'), [name, name]);
    await tab.value('location.hash = "#odd"');
    await tab.until('document.querySelector("img").complete', 10);
    assert.deepEqual(await all('article img', '[e.alt, e.naturalWidth]'),
      [['An alternative “text” <script>failed()</script> & more', 20]]);
    const text = (await all('#odd', 'e.textContent'))[0];
    for (const part of ['<script>failed()</script>', '<details onclick="failed()">', '<img src="x" onerror="failed()">',
      ', a file, and', '</code><script>failed()</script>', '"</pre></code><script>failed()</script>"[0]', 'and $5.', 'a link'])
      assert.ok(text.includes(part), `${part} is not shown: ${text}`);
    assert.deepEqual(await all('math', 'e.getAttribute("alttext")'), ['a < b \\text{ & "c"}']);
    for (const hash of await all('#odd a[href^="#odd/"]', 'e.hash.slice(1)'))
      assert.ok(await tab.value(`document.getElementById(${JSON.stringify(hash)}) !== null`), hash);
  } finally {
    await tab.close();
  }
  console.log('odd pages stay text');
}

process.exitCode = 1;
main(process.argv.slice(2)).then(() => process.exitCode = 0);
