/* SPDX-License-Identifier: MIT */
// The board: a grid of 64 squares with pieces, and the arrows over them. A position is shown immediately. Pieces then
// seem to move to their squares, but the squares can be used at once: no press waits for an animation.

import { el, svg } from '../base/dom.js';
import { loadSheet } from '../base/sheets.js';
import { pieceNode } from '../base/pieces.js';
import { inWords, pieceName, squareName, squares } from '../base/rules.js';
import { createInput } from './board_input.js';
import { isAnimated, loadLook } from './board_look.js';
import { createSlides } from './slides.js';
import { arrow } from './marks.js';
import { choosePromotion } from './promotion.js';

const SQUARES = Array.from({ length: 64 }, (_, i) => squareName(i));
const isLight = (i) => (i + (i >> 3)) % 2 === 0;

const createCell = (square, i) => el('button', { type: 'button', role: 'gridcell', tabindex: '-1', class: `square ${isLight(i) ? 'white' : 'black'}`, 'data-square': square });

/** Creates a letter or digit in the corner of a square, which is number `i` on the screen. */
function coordinate(kind, i, text) {
  const node = el('span', { class: `coordinate ${kind} ${isLight(i) ? 'white' : 'black'}` }, text);
  if (kind === 'file') node.style.right = `${12.5 * (63 - i)}%`;
  else node.style.top = `${12.5 * (i >> 3)}%`;
  return node;
}

/** Puts the squares into the grid, with `below` at the bottom, and the coordinates over them. A square keeps the focus. */
function arrange(grid, coordinates, cells, below) {
  const focused = document.activeElement;
  const order = below === 'w' ? [...cells.values()] : [...cells.values()].reverse();
  grid.replaceChildren(...Array.from({ length: 8 }, (_, row) => el('div', { role: 'row' }, ...order.slice(8 * row, 8 * row + 8))));
  const names = order.map((cell) => cell.dataset.square);
  coordinates.replaceChildren(...names.slice(56).map((name, i) => coordinate('file', 56 + i, name[0])), ...names.flatMap((name, i) => (i % 8 === 0 ? [coordinate('rank', i, name[1])] : [])));
  if (grid.contains(focused)) focused.focus();
}

/** Puts a board into `container`. `onMove(move)` is called with the legal move that was dragged, clicked or chosen with
 * keys. Returns an object with these functions:
 *
 *   show(fen, {moves, last, animated}): shows a position; its legal moves; the squares of the last move.
 *   point(uci or null): draws an arrow, or removes it.
 *   hint(ucis): draws the arrows of the engine, the best move first, and removes earlier ones.
 *   flip(), turn('w' or 'b'), orientation(). */
export async function createBoard(container, onMove) {
  await Promise.all([loadSheet('board/board.css'), loadLook()]);
  const cells = new Map(SQUARES.map((square, i) => [square, createCell(square, i)]));
  const grid = el('div', { class: 'board-grid', role: 'grid', 'aria-label': 'Squares' });
  const coordinates = el('div', { class: 'coordinates', 'aria-hidden': 'true' });
  const arrows = svg('svg', { class: 'board-arrows', role: 'img', viewBox: '0 0 320 320' });
  const slides = createSlides();
  let drawn = SQUARES.map(() => null); // the letters on the squares
  let shown = { legal: [], last: null };
  let below = 'w';
  let dropped = null; // the square on which a piece was just dropped: it does not move there again
  let choice = null; // the choice of a promotion, while it is open

  /* Returns the moves between two squares. Castling is also recognized as a move of the king to the rook. */
  const fitting = (from, to) => shown.legal.filter((move) => move.from === from
    && (move.to === to || (/^O-O(?!-O)/.test(move.san) && to === `h${from[1]}`) || (/^O-O-O/.test(move.san) && to === `a${from[1]}`)));

  function played(moves, square) {
    const use = (move) => { dropped = square; onMove(move); dropped = null; };
    if (!moves[0].promotion || moves.length === 1) { use(moves[0]); return; }
    choice = choosePromotion(container, moves, below, (move) => { choice = null; if (move) use(move); });
  }

  const input = createInput(grid, cells, {
    from: (square) => shown.legal.filter((move) => move.from === square), fitting, played, finish: () => slides.finish(), isTurned: () => below === 'b',
  });

  function draw(square, letter, i) {
    if (drawn[i] === letter) return;
    const cell = cells.get(square);
    cell.querySelector('.piece')?.remove();
    if (letter) cell.append(pieceNode(letter));
    cell.setAttribute('aria-label', `${square}, ${letter ? pieceName(letter) : 'empty'}`);
  }

  function drawPosition(next, last, animated) {
    choice?.();
    input.cancel();
    slides.finish();
    const before = drawn;
    SQUARES.forEach((square, i) => draw(square, next[i], i));
    drawn = next;
    for (const [square, cell] of cells) cell.classList.toggle('last', square === last?.from || square === last?.to);
    arrows.replaceChildren();
    if (animated && !document.hidden && isAnimated()) slides.start(cells, before, next, below, dropped);
  }

  const drawArrow = (uci, name) => arrows.append(arrow(uci.slice(0, 4), { class: name, 'data-arrow': uci.slice(0, 4) }));
  const removeArrows = (name) => arrows.querySelectorAll(`.${name}`).forEach((one) => one.remove());

  container.append(arrows, grid, coordinates);
  container.addEventListener('contextmenu', (event) => event.preventDefault());
  arrange(grid, coordinates, cells, below);
  return {
    show(fen, { moves = [], last = null, animated = true } = {}) {
      const next = squares(fen);
      const same = next.join() === drawn.join() && last?.from === shown.last?.from && last?.to === shown.last?.to;
      shown = { legal: moves, last };
      arrows.setAttribute('aria-label', inWords(fen));
      if (!same) drawPosition(next, last, animated); // otherwise a piece may be being dragged
      input.refresh();
    },
    point(uci) {
      removeArrows('arrow-success');
      if (uci) drawArrow(uci, 'arrow-success');
    },
    hint(ucis) {
      removeArrows('arrow-engine');
      ucis.forEach((uci, i) => drawArrow(uci, i === 0 ? 'arrow-engine' : 'arrow-engine other'));
    },
    flip() { this.turn(below === 'w' ? 'b' : 'w'); },
    turn(colour) {
      if (colour === below) return;
      below = colour;
      choice?.();
      slides.finish();
      arrange(grid, coordinates, cells, below);
    },
    orientation: () => below,
  };
}
