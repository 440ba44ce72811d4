'use strict';
// The tools of all pages: an element of HTML, one of SVG, and text of unknown direction.
const byId = id => document.getElementById(id);
function element(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
function drawn(tag, attributes = {}, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
const isolated = text => element('bdi', {textContent: text});
