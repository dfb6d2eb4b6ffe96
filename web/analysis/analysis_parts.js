/* SPDX-License-Identifier: MIT */
// The parts of the analysis view below its moves: signs, comment, marks, and pasted text.

import { el, svg } from '../base/dom.js';
import { nag } from '../base/words.js';
import { GROUPS } from '../study/move_tree.js';

/** NAGs of moves and of positions. Of each group, a move has at most one. Others (novelty, only move) are independent. */
export const [MOVE_SIGNS, POSITION_SIGNS] = GROUPS;
const OTHER_SIGNS = [7, 146];
const MEANINGS = { 1: 'good move', 2: 'mistake', 3: 'brilliant move', 4: 'blunder', 5: 'interesting move', 6: 'dubious move', 7: 'only move', 146: 'novelty',
  10: 'equal', 13: 'unclear', 14: 'White is slightly better', 15: 'Black is slightly better', 16: 'White is better', 17: 'Black is better', 18: 'White is winning', 19: 'Black is winning' };

/** Returns NAGs with one added, or removed if it was there. */
export function toggledSign(nags, sign) {
  const group = GROUPS.find((one) => one.includes(sign)) ?? [sign];
  const others = nags.filter((one) => !group.includes(one));
  return nags.includes(sign) ? others : [...others, sign].sort((a, b) => a - b);
}

const ICONS = { undo: 'M9 7L5 11l4 4M5 11h9a5 5 0 0 1 0 10h-3', redo: 'M15 7l4 4-4 4M19 11h-9a5 5 0 0 0 0 10h3' };

function iconButton(name, label, act) {
  return el('button', { type: 'button', class: 'icon', 'aria-label': label, title: label, onclick: act }, svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: ICONS[name] })));
}

/** Creates the buttons that edit lines. acts: undo, redo, promote, remove. */
export function editBar(acts) {
  const buttons = {
    undo: iconButton('undo', 'Undo', acts.undo), redo: iconButton('redo', 'Redo', acts.redo),
    promote: el('button', { type: 'button', title: 'Make this line the main line of its place', onclick: acts.promote }, 'Promote'),
    remove: el('button', { type: 'button', title: 'Delete this move and those after it', onclick: acts.remove }, 'Delete'),
  };
  return { element: el('div', { class: 'edit-bar', role: 'group', 'aria-label': 'Edit lines' }, ...Object.values(buttons)), buttons };
}

/** Creates the buttons of signs. toggle(sign) is called with the number of a NAG. */
export function signBar(toggle) {
  const button = (sign) => el('button', { type: 'button', 'aria-pressed': 'false', 'aria-label': MEANINGS[sign], title: MEANINGS[sign], 'data-sign': sign, onclick: () => toggle(sign) }, nag(sign));
  const group = (label, signs) => el('div', { role: 'group', 'aria-label': label }, ...signs.map(button));
  const element = el('div', { class: 'signs' }, group('Signs of the move', [...MOVE_SIGNS, ...OTHER_SIGNS]), group('Signs of the position', POSITION_SIGNS));
  return {
    element,
    show(nags, usable) {
      for (const one of element.querySelectorAll('button')) {
        one.disabled = !usable;
        one.setAttribute('aria-pressed', String(nags.includes(Number(one.dataset.sign))));
      }
    },
  };
}

const COLORS = { G: 'green', R: 'red', Y: 'yellow', B: 'blue' };

/** Creates buttons to draw with the left button or a finger. choose(color) is called with a letter, or '' to stop. */
function colorButtons(choose) {
  const box = el('div', { class: 'colors', role: 'group', 'aria-label': 'Draw on the board' });
  const press = (event) => {
    const on = event.currentTarget.getAttribute('aria-pressed') === 'false';
    for (const one of box.children) one.setAttribute('aria-pressed', String(on && one === event.currentTarget));
    choose(on ? event.currentTarget.dataset.color : '');
  };
  box.append(...Object.entries(COLORS).map(([letter, name]) => el('button', { type: 'button', class: `icon ${letter}`, 'data-color': letter, 'aria-pressed': 'false',
    'aria-label': `Draw ${name}`, title: `Draw ${name} with a finger or the left button`, onclick: press })));
  return box;
}

/** Creates the fields of a move: its comment, and its arrows and circles. */
export function noteFields({ comment, marks, color, keys }) {
  const text = el('textarea', { id: 'analysis-comment', rows: 2, oninput: (event) => comment(event.target.value) });
  const list = el('input', { id: 'analysis-marks', spellcheck: 'false', autocomplete: 'off', autocapitalize: 'off', placeholder: 'Ge2e4 Re5', 'aria-describedby': 'marks-hint',
    onchange: (event) => marks(event.target) });
  const element = el('div', { class: 'notes' }, el('label', { for: 'analysis-comment' }, 'Comment'), text, el('label', { for: 'analysis-marks' }, 'Arrows and circles'), el('div', { class: 'mark-row' }, list, colorButtons(color), keys && el('button', { type: 'button', class: 'by-keys', onclick: keys }, 'Draw by keys')),
    el('p', { class: 'hint', id: 'marks-hint' }, 'Draw with the right mouse button (Shift red, Alt blue, both yellow), choose a colour and draw with a finger, draw by keys (arrow keys; Enter begins and ends), or type: G, R, Y or B, then one or two squares.'));
  return { element, text, list };
}

/** Creates the form that opens pasted text. open(text) returns a message if it cannot be opened. */
export function pasteForm(open) {
  const field = el('textarea', { id: 'analysis-paste', rows: 4, spellcheck: 'false', 'aria-label': 'PGN, moves or FEN', placeholder: 'PGN with one game or several, moves, or a FEN' });
  const message = el('p', { class: 'hint', role: 'alert' });
  const form = el('form', {}, field, message, el('button', { type: 'submit' }, 'Open'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    message.textContent = open(field.value) ?? '';
    if (message.textContent === '') field.value = '';
  });
  return el('details', { class: 'paste' }, el('summary', {}, 'Open PGN, moves or FEN'), form);
}

/** Creates a line for each comment that was replaced because another tab changed it later. use(one) and dismiss(one) are
 * called by its buttons. */
export function replacedList(list, use, dismiss) {
  return list.map((one) => el('p', { class: 'replaced-comment' }, el('span', {}, 'Replaced by another tab: ', el('q', {}, one.text)),
    el('button', { type: 'button', onclick: () => use(one) }, 'Use'), el('button', { type: 'button', class: 'quiet', onclick: () => dismiss(one) }, 'Discard')));
}
