/* SPDX-License-Identifier: MIT */
// All elements are created here. Text from games is always a text node, never markup.

const SVG = 'http://www.w3.org/2000/svg';

// Characters that change the direction of text. In a name they could make the page display another name.
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Returns a text with these characters replaced; other values are returned unchanged. */
export const shown = (text) => typeof text === 'string' ? text.replace(DIRECTION, '\uFFFD') : text;

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? '' : shown(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false).map(shown));
  return node;
}

/** Creates an HTML element. Attributes whose names begin with "on" are listeners. An attribute or child is omitted if
 * it is null, undefined or false. */
export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** Creates an SVG element in the same way. */
export const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

/** Sets the text that screen readers announce. */
export function announce(text) {
  byId('status').textContent = shown(text);
}

/** Shows a message instead of an answer: 'loading', 'empty' or 'error'. An error has a button to try again, or links to
 * continue with: [[label, address], ...]. */
export function notice(kind, text, retry = null, onward = []) {
  const attributes = { class: `notice ${kind}`, role: kind === 'error' ? 'alert' : null };
  return el('div', attributes, el('p', {}, text), retry && el('button', { type: 'button', class: 'quiet', onclick: retry }, 'Try again'),
    onward.length > 0 && el('p', { class: 'onward' }, ...onward.map(([label, href]) => el('a', { class: 'button', href }, label))));
}

const LATE = 400; // milliseconds: users see an answer that arrives earlier as the result of their action

/** Replaces the contents of an element. If this is late, the element keeps its height, so that nothing below it moves:
 * shorter contents leave space below them, and longer contents scroll. */
function fillLate(target, nodes) {
  const height = () => target.getBoundingClientRect().height;
  const before = height();
  target.replaceChildren(...nodes);
  if (height() === before) return;
  target.style.height = `${before}px`;
  target.classList.add('kept');
}

/** Puts `make(answer)` into `target` when the promise is fulfilled, or the error message when it is rejected, with the
 * links `onward` of the error if it has any. An aborted request changes nothing. Until then the old contents remain, marked as busy; if there are none, a line
 * reports that the page is loading. */
export async function fillWhenThere(target, promise, make, retry) {
  const since = performance.now();
  const free = !target.nextElementSibling || !target.firstChild || target.firstChild.matches?.('.loading');
  const put = (...nodes) => (free || performance.now() - since < LATE ? target.replaceChildren(...nodes) : fillLate(target, nodes));
  target.style.height = '';
  target.classList.remove('kept');
  target.setAttribute('aria-busy', 'true');
  if (!target.firstChild) target.replaceChildren(notice('loading', 'Loading …'));
  try {
    const answer = await promise;
    put(...[make(answer)].flat());
  } catch (error) {
    if (error.name === 'AbortError') return;
    put(notice('error', error.message, error.final ? null : retry, error.onward));
  }
  target.removeAttribute('aria-busy');
}
