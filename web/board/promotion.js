/* SPDX-License-Identifier: MIT */
// The choice of the piece that a pawn becomes: four buttons over the file of the pawn.

import { el } from '../base/dom.js';
import { pieceNode } from '../base/pieces.js';
import { pieceName } from '../base/rules.js';

const ORDER = ['q', 'r', 'b', 'n'];

function button(move, choose) {
  const letter = move.to[1] === '8' ? move.promotion.toUpperCase() : move.promotion;
  const piece = pieceNode(letter);
  return el('button', { type: 'button', class: 'promotion-dialog-button', 'data-piece': piece.dataset.piece, 'aria-label': pieceName(letter), title: pieceName(letter), onclick: () => choose(move) }, piece);
}

/** Opens the choice between moves of a pawn to one square. done(move) is called with the chosen move, or with null.
 * Returns a function that closes it without a choice. */
export function choosePromotion(container, moves, below, done) {
  const before = document.activeElement;
  const [file, rank] = ['abcdefgh'.indexOf(moves[0].to[0]), moves[0].to[1]];
  const dialog = el('dialog', { class: (rank === '8') === (below === 'w') ? 'promotion-dialog' : 'promotion-dialog at-bottom', 'aria-label': 'The pawn becomes' });
  const outside = (event) => { if (!dialog.contains(event.target)) end(null); };
  function end(move) {
    document.removeEventListener('pointerdown', outside, true);
    const focused = dialog.contains(document.activeElement);
    dialog.remove();
    if (focused) before?.focus();
    done(move);
  }
  const buttons = ORDER.map((type) => button(moves.find((move) => move.promotion === type), end));
  dialog.append(...buttons);
  dialog.style.left = `${12.5 * (below === 'w' ? file : 7 - file)}%`;
  dialog.addEventListener('keydown', (event) => {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1, Tab: event.shiftKey ? -1 : 1 }[event.key];
    if (event.key === 'Escape') end(null);
    else if (step) buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
  });
  container.append(dialog);
  dialog.show();
  buttons[0].focus();
  document.addEventListener('pointerdown', outside, true);
  return () => end(null);
}
