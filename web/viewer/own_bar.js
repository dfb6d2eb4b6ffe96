/* SPDX-License-Identifier: MIT */
// The line below the moves of a game that has variations of the user.

import { el } from '../base/dom.js';
import { format } from '../base/address.js';

const STORED = 'Your variations are stored in this browser, not in the archive.';
const NOT_STORED = 'The browser does not store your variations, because its storage is full or disabled. Open them as analysis and save the PGN before you leave.';

/** Creates the line. acts: undo(), remove(). Returns {element, show({own, path, inOwn})}: `own` are the variations
 * (own_lines.js), `path` the place that is shown, `inOwn` whether it is in one of them. */
export function createOwnBar(acts) {
  const text = el('p', { class: 'hint' });
  const undo = el('button', { type: 'button', onclick: acts.undo }, 'Undo');
  const remove = el('button', { type: 'button', title: 'Delete this move and those after it', onclick: acts.remove }, 'Delete');
  const open = el('a', { class: 'button', href: '#/analysis' }, 'Open as analysis');
  const element = el('div', { class: 'own-bar', role: 'group', 'aria-label': 'Your variations', hidden: true }, text, undo, remove, open);
  return { element, show({ own, path, inOwn }) {
    const canUndo = own?.study?.canUndo() ?? false;
    element.hidden = !own || (own.number === 0 && !canUndo);
    if (element.hidden) return;
    text.textContent = own.study.kept ? STORED : NOT_STORED;
    undo.disabled = !canUndo;
    remove.disabled = !inOwn;
    open.href = format('analysis', { play: path.join(',') }, own.study.entry.id);
  } };
}
