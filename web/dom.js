// All elements are created here: text from games is always a text node, never markup.

const SVG = 'http://www.w3.org/2000/svg';

// Characters that change the direction of text: in a name they could make the page show another one.
const DIRECTION = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** A text with these characters replaced; other values unchanged. */
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

/** An HTML element. Attributes named on… are listeners; null, undefined and false leave an attribute or child out. */
export const el = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);

/** The same of SVG. */
export const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

export const byId = (id) => document.getElementById(id);

/** What is read aloud when it changes. */
export function announce(text) {
  byId('status').textContent = shown(text);
}

/** Something in place of an answer: 'loading', 'empty' or 'error'. An error can be tried again. */
export function notice(kind, text, retry = null) {
  const attributes = { class: `notice ${kind}`, role: kind === 'error' ? 'alert' : null };
  return el('div', attributes, el('p', {}, text),
    retry && el('button', { type: 'button', class: 'quiet', onclick: retry }, 'Try again'));
}

/** Puts `make(answer)` into `target` when the promise is there, its error otherwise; an aborted one changes nothing.
 * What stood there before stays meanwhile, marked as busy; where nothing did, a line says that it loads. */
export async function fillWhenThere(target, promise, make, retry) {
  target.setAttribute('aria-busy', 'true');
  if (!target.firstChild) target.replaceChildren(notice('loading', 'Loading …'));
  try {
    const answer = await promise;
    target.replaceChildren(...[make(answer)].flat());
  } catch (error) {
    if (error.name === 'AbortError') return;
    target.replaceChildren(notice('error', error.message, retry));
  }
  target.removeAttribute('aria-busy');
}
