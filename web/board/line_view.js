/* SPDX-License-Identifier: MIT */
// A line that is played on the board: its moves as links, and the field for its start.

import { isCompact, watchCompact } from '../base/compact.js';
import { el } from '../base/dom.js';
import { INITIAL, play, shiftOf } from '../base/rules.js';
import { moveNumber } from '../base/words.js';

/** Returns the moves and positions of a line. If it is invalid, only its first moves are known. */
export const knownLine = ({ fen, line }) => play(fen, line);

/** Shows a line; each move is a link to its position. A move that is not legal is shown in UCI. href(ply) is
 * the address of a position, `known` the line as knownLine returns it, and `hint` is shown instead of no moves. */
export function lineList({ fen, line, ply }, known, href, hint) {
  if (line.length === 0) return el('p', { class: 'hint' }, hint);
  const shift = shiftOf(fen);
  const list = el('ol', { class: 'line', 'aria-label': 'Line' }, ...line.map((uci, i) => {
    const number = (i + shift) % 2 === 0 || i === 0 ? el('span', { class: 'number' }, moveNumber(i + 1 + shift)) : null;
    return el('li', {}, number, el('a', { href: href(i + 1), 'aria-current': i + 1 === ply ? 'step' : null }, known.moves[i]?.san ?? uci));
  }));
  list.addEventListener('focusin', (event) => event.target.scrollIntoView({ block: 'nearest', inline: 'nearest' })); // browsers show only a part
  return list;
}

/** Creates a form for a FEN. open(fen) is called with it, or with the initial position if the field is empty. Returns the
 * element with the form, which is folded in windows with little room, and the field. */
export function fenForm(open) {
  const input = el('input', { id: 'fen', spellcheck: 'false', autocomplete: 'off' });
  const form = el('form', { class: 'fen' }, el('label', { for: 'fen' }, 'FEN'), input);
  form.addEventListener('submit', (event) => { event.preventDefault(); open(input.value.trim() || INITIAL); });
  return [el('details', { class: 'fen-box', open: !isCompact() }, el('summary', {}, 'FEN'), form), input];
}

watchCompact(() => { for (const box of document.querySelectorAll('.fen-box')) box.open = !isCompact(); });
