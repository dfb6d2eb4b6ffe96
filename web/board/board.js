/* SPDX-License-Identifier: MIT */
// The board: a grid of squares with pieces, and arrows over them. A position is shown immediately. Pieces then seem to move
// to their squares, but the squares can be used at once: no press waits for an animation.

import { svg } from '../base/dom.js';
import { loadSheet } from '../base/sheets.js';
import { inWords, squares as lettersOf } from '../base/rules.js';
import { createInput } from './board_input.js';
import { isAnimated, loadLook } from './board_look.js';
import { createSlides } from './slides.js';
import { createSquares } from './squares.js';
import { arrow } from './marks.js';
import { choosePromotion } from './promotion.js';

/** Creates the layer for arrows, which also describes the position in words. */
function createArrows() {
  const element = svg('svg', { class: 'board-arrows', role: 'img', viewBox: '0 0 320 320' });
  const remove = (name) => element.querySelectorAll(`.${name}`).forEach((one) => one.remove());
  const add = (uci, name) => element.append(arrow(uci.slice(0, 4), { class: name, 'data-arrow': uci.slice(0, 4) }));
  return {
    element,
    clear: () => element.replaceChildren(),
    describe: (words) => element.setAttribute('aria-label', words),
    point(uci) {
      remove('arrow-success');
      if (uci) add(uci, 'arrow-success');
    },
    hint(ucis) {
      remove('arrow-engine');
      ucis.forEach((uci, i) => add(uci, i === 0 ? 'arrow-engine' : 'arrow-engine other'));
    },
    threat(uci) {
      remove('arrow-threat');
      if (uci) add(uci, 'arrow-threat');
    },
  };
}

const castles = (move, side) => (side === 'h' ? /^O-O(?!-O)/ : /^O-O-O/).test(move.san);

/** Returns the moves between two squares. Castling is also recognized as a move of the king to the rook. */
const fitting = (legal, from, to) => legal.filter((move) => move.from === from
  && (move.to === to || ['a', 'h'].some((side) => castles(move, side) && to === side + from[1])));

const sameMove = (a, b) => a?.from === b?.from && a?.to === b?.to;

/** Puts a board into `container`. `onMove(move)` is called with the legal move that was dragged, clicked or chosen with
 * keys. Returns an object with these functions:
 *
 *   show(fen, {moves, last, animated}): shows a position; its legal moves; the squares of the last move.
 *   point(uci or null): draws an arrow, or removes it.
 *   hint(ucis): draws the arrows of the engine, the best move first, and removes earlier ones.
 *   threat(uci or null): draws the arrow of a threat, or removes it.
 *   flip(), turn('w' or 'b'), orientation(). */
export async function createBoard(container, onMove) {
  await Promise.all([loadSheet('board/board.css'), loadLook()]);
  const [squares, arrows, slides] = [createSquares(), createArrows(), createSlides()];
  let shown = { legal: [], last: null };
  let below = 'w';
  let dropped = null; // the square on which a piece was just dropped: it does not move there again
  let closeChoice = () => {}; // closes the choice of a promotion

  function played(moves, square) {
    const use = (move) => { dropped = square; onMove(move); dropped = null; };
    if (moves.length > 1 && moves[0].promotion) closeChoice = choosePromotion(container, moves, below, (move) => { closeChoice = () => {}; if (move) use(move); });
    else use(moves[0]);
  }

  const input = createInput(squares.grid, squares.cells, { from: (square) => shown.legal.filter((move) => move.from === square),
    fitting: (from, to) => fitting(shown.legal, from, to), played, finish: slides.finish, isTurned: () => below === 'b' });

  function drawPosition(letters, last, animated) {
    const before = squares.letters();
    closeChoice();
    input.cancel();
    slides.finish();
    squares.draw(letters);
    squares.mark(last);
    arrows.clear();
    if (animated && !document.hidden && isAnimated()) slides.start(squares.cells, before, letters, below, dropped);
  }

  container.append(arrows.element, squares.grid, squares.coordinates);
  container.addEventListener('contextmenu', (event) => event.preventDefault());
  squares.arrange(below);
  return {
    show(fen, { moves = [], last = null, animated = true } = {}) {
      const letters = lettersOf(fen);
      const same = letters.join() === squares.letters().join() && sameMove(last, shown.last);
      shown = { legal: moves, last };
      arrows.describe(inWords(fen));
      if (!same) drawPosition(letters, last, animated); // otherwise a piece may be being dragged
      input.refresh();
    },
    point: arrows.point, hint: arrows.hint, threat: arrows.threat, orientation: () => below,
    flip() { this.turn(below === 'w' ? 'b' : 'w'); },
    turn(side) {
      if (side === below) return;
      below = side;
      closeChoice();
      slides.finish();
      squares.arrange(below);
    },
  };
}
