/* SPDX-License-Identifier: MIT */
// The squares of the board, as a grid for keys and screen readers, and the coordinates over them.

import { el } from '../base/dom.js';
import { pieceNode } from '../base/pieces.js';
import { pieceName, squareName } from '../base/rules.js';

const NAMES = Array.from({ length: 64 }, (_, i) => squareName(i));
const colour = (i) => ((i + (i >> 3)) % 2 === 0 ? 'white' : 'black');

const createCell = (name, i) => el('button', { type: 'button', role: 'gridcell', tabindex: '-1', class: `square ${colour(i)}`, 'data-square': name });

/** Creates a letter or digit in the corner of a square, which is number `i` on the screen. */
function coordinate(kind, i, text) {
  const node = el('span', { class: `coordinate ${kind} ${colour(i)}` }, text);
  if (kind === 'file') node.style.right = `${12.5 * (63 - i)}%`;
  else node.style.top = `${12.5 * (i >> 3)}%`;
  return node;
}

/** Puts a piece, or '' for none, on a square. */
function put(cell, letter) {
  cell.querySelector('.piece')?.remove();
  if (letter) cell.append(pieceNode(letter));
  cell.setAttribute('aria-label', `${cell.dataset.square}, ${letter ? pieceName(letter) : 'empty'}`);
}

/** Returns {grid, coordinates, cells, letters(), draw(letters), mark(last), arrange(below)}: two elements; the squares by
 * name; the letters of the pieces from a8 to h1, and a function to draw others; marks of the last move; the side at the
 * bottom. */
export function createSquares() {
  const cells = new Map(NAMES.map((name, i) => [name, createCell(name, i)]));
  const grid = el('div', { class: 'board-grid', role: 'grid', 'aria-label': 'Squares' });
  const coordinates = el('div', { class: 'coordinates', 'aria-hidden': 'true' });
  let drawn = NAMES.map(() => '');
  cells.forEach((cell) => put(cell, ''));
  return {
    grid, coordinates, cells, letters: () => drawn,
    draw(letters) {
      NAMES.forEach((name, i) => { if (drawn[i] !== letters[i]) put(cells.get(name), letters[i]); });
      drawn = letters;
    },
    mark(last) {
      for (const [name, cell] of cells) cell.classList.toggle('last', name === last?.from || name === last?.to);
    },
    arrange(below) {
      const focused = document.activeElement;
      const names = below === 'w' ? NAMES : [...NAMES].reverse();
      grid.replaceChildren(...Array.from({ length: 8 }, (_, row) => el('div', { role: 'row' }, ...names.slice(8 * row, 8 * row + 8).map((name) => cells.get(name)))));
      coordinates.replaceChildren(...names.slice(56).map((name, i) => coordinate('file', 56 + i, name[0])),
        ...names.flatMap((name, i) => (i % 8 === 0 ? [coordinate('rank', i, name[1])] : [])));
      if (grid.contains(focused)) focused.focus();
    },
  };
}
