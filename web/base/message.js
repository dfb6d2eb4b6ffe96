/* SPDX-License-Identifier: MIT */
// A message at the lower edge of the window, for actions that work in every view.

import { el } from './dom.js';
import { loadSheet } from './sheets.js';

const TIME = 10000; // milliseconds
let box = null;
let timer = 0;

function close() {
  clearTimeout(timer);
  box?.remove();
  box = null;
}

/** Shows a message until it is closed, or for ten seconds; `error` stays. Replaces the message before it. action: {label,
 * act}, a button. */
export async function message(text, { error = false, action = null } = {}) {
  await loadSheet('base/message.css').catch(() => {});
  close();
  box = el('div', { id: 'message', role: error ? 'alert' : 'status' }, el('p', {}, text),
    action && el('button', { type: 'button', onclick: () => { close(); action.act(); } }, action.label), el('button', { type: 'button', class: 'quiet', onclick: close }, 'Close'));
  document.body.append(box);
  if (!error) timer = setTimeout(close, TIME);
}
