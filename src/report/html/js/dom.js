// Elements out of plain values. All text goes through clean() into text nodes: nothing that a
// record holds is ever read as markup.

// Controls, direction marks and invisible characters, which could make a line read as another.
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ue000-\uf8ff\ufe00-\ufe0f\ufeff\ufff0-\ufffc]|[\udb40-\udbff][\udc00-\udfff]/g;

function clean(text) {
  return String(text).replace(/[\n\r\t]/g, ' ').replace(HARMFUL, '\ufffd');
}

const SVG = 'http://www.w3.org/2000/svg';

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === undefined || value === null) continue;
    if (value === false && !name.startsWith('aria-')) continue;
    if (name === 'class') node.setAttribute('class', value);
    else if (name === 'style') Object.assign(node.style, value);
    else if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, clean(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child instanceof Node ? child : clean(child));
  }
  return node;
}

const el = (tag, props, ...children) => fill(document.createElement(tag), props, children);
const svg = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

// Text of several lines, for <pre> only.
function preformatted(text, className) {
  const lines = String(text).split('\n').map(clean);
  return el('pre', {class: className}, document.createTextNode(lines.join('\n')));
}

// A member of an object that came out of JSON: names are foreign, "constructor" is one of them.
function member(object, name) {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

const entries = (object) => (object && typeof object === 'object' ? Object.entries(object) : []);

function card(id, title, lead, ...children) {
  return el('section', {class: 'card', id}, el('h2', {}, title),
            lead ? el('p', {class: 'lead'}, lead) : null, children);
}

const absent = (reason) => el('span', {class: 'absent'}, 'not measured' + (reason ? ': ' + reason : ''));
