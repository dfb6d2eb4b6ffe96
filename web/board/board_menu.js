/* SPDX-License-Identifier: MIT */
// The menu for the look of the board.

import { el, svg } from '../base/dom.js';
import { explanation } from '../base/explain.js';
import { pieceNode } from '../base/pieces.js';
import { changeLook, COLOURS, currentLook, pieceSets, SETS } from './board_look.js';

function choice(name, legend, options, chosen) {
  const radio = ([value, nodes]) => el('label', { class: 'pill' }, el('input', { type: 'radio', name: `board-${name}`, value, checked: value === chosen, onchange: () => changeLook({ [name]: value }) }), ...nodes);
  return el('fieldset', { class: 'field' }, el('legend', {}, legend), ...options.map(radio));
}

const swatch = (colours) => el('span', { class: 'swatch', 'data-board': colours, 'aria-hidden': 'true' });

const toggle = (name, label, checked) => el('label', { class: 'board-toggle' },
  el('input', { type: 'checkbox', name: `board-${name}`, checked, onchange: (event) => changeLook({ [name]: event.target.checked }) }), ` ${label}`);

function contents() {
  const look = currentLook();
  return [choice('colours', 'Squares', Object.entries(COLOURS).map(([value, label]) => [value, [swatch(value), label]]), look.colours),
    choice('pieces', 'Pieces', pieceSets().map((value) => [value, [SETS[value].name]]), look.pieces),
    el('div', { class: 'board-sample', 'aria-hidden': 'true' }, ...'KQRBNPkqrbnp'.split('').map((letter) => el('span', {}, pieceNode(letter)))),
    toggle('coordinates', 'Coordinates', look.coordinates), toggle('animation', 'Moving pieces', look.animation),
    el('p', { class: 'hint' }, 'Cburnett: by Cburnett and Rfc1394 of Wikimedia Commons, CC BY-SA 3.0. Plain and Letters: Stamma, MIT.')];
}

/** Returns the button and the box of the menu. */
export function createBoardMenu() {
  const icon = svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: 'M5 5h14v14H5zM5 12h14M12 5v14' }),
    svg('path', { class: 'solid', d: 'M12 5h7v7h-7zM5 12h7v7H5z' }));
  return explanation(icon, () => el('div', { class: 'board-menu' }, ...contents()), { class: 'icon', id: 'board-look', 'aria-label': 'Look of the board' });
}
