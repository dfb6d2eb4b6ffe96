/* SPDX-License-Identifier: MIT */
// Drawings of the pieces. The drawings of a set have the ids wk to bp, in a hidden part of the page. All pieces on the page
// refer to them, and so change when another set is loaded.

import { el, svg } from './dom.js';

/** The sets: names, and the files of the drawings. Not every build has the file of the first. */
export const SETS = {
  cburnett: { name: 'Cburnett', file: 'cm-chessboard/assets/pieces/standard.svg' },
  plain: { name: 'Plain', file: 'board/plain.svg' },
  letters: { name: 'Letters', file: 'board/letters.svg' },
};

const holder = el('div', { class: 'unseen', 'aria-hidden': 'true' });
let wanted = null;

/** Shows a set of pieces. Returns false if its file is not in this build or cannot be loaded: the pieces stay unchanged. */
export async function loadPieces(name) {
  wanted = name;
  try {
    const response = await fetch(SETS[name].file);
    const drawings = response.ok && new DOMParser().parseFromString(await response.text(), 'image/svg+xml').documentElement;
    if (drawings?.tagName !== 'svg') return false;
    if (wanted === name) holder.replaceChildren(document.importNode(drawings, true));
    if (!holder.isConnected) document.body.append(holder);
    return true;
  } catch {
    return false;
  }
}

/** Returns the drawing of a piece, given as a letter of a FEN. */
export function pieceNode(letter) {
  const id = (letter === letter.toUpperCase() ? 'w' : 'b') + letter.toLowerCase();
  return svg('svg', { class: 'piece', viewBox: '0 0 40 40', 'aria-hidden': 'true', 'data-piece': id }, svg('use', { href: `#${id}` }));
}
