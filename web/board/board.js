/* SPDX-License-Identifier: MIT */
// The board: cm-chessboard if the build includes it. Otherwise a line reports that, and the functions are the same.

import { el } from '../base/dom.js';
import { inWords } from '../base/rules.js';

const ASSETS = './cm-chessboard/assets/';
const LAST_MOVE = { class: 'marker-last', slice: 'markerSquare' };
const HINTS = [{ class: 'arrow-engine' }, { class: 'arrow-engine other' }];
const STILL = matchMedia('(prefers-reduced-motion: reduce)');

async function load() {
  const root = '../cm-chessboard/src/';
  const [board, markers, arrows] = await Promise.all([
    import(`${root}Chessboard.js`), import(`${root}extensions/markers/Markers.js`), import(`${root}extensions/arrows/Arrows.js`)]);
  return { ...board, ...markers, ...arrows };
}

function boardless(container) {
  container.classList.add('boardless');
  const position = el('p', { class: 'position-in-words' });
  container.append(el('p', {}, 'This build has no board: cm-chessboard was not there when it was made ',
    '(scripts/setup fetches it). Moves can be played from the table, and everything else works.'), position);
  return {
    show: (fen) => { position.textContent = inWords(fen); },
    point() {}, hint() {}, flip() {}, orientation: () => 'w', turn() {},
  };
}

/** Puts a board into `container`. `onMove(move)` is called with the legal move that was dragged or clicked. Returns an
 * object with these functions:
 *
 *   show(fen, {moves, last, animated}): shows a position; its legal moves; the squares of the last move.
 *   point(uci or null): draws an arrow, or removes it.
 *   hint(ucis): draws the arrows of the engine, the best move first, and removes earlier ones.
 *   flip(), turn('w' or 'b'), orientation(). */
export async function createBoard(container, onMove) {
  let cm;
  try {
    cm = await load();
  } catch {
    return boardless(container);
  }
  const board = new cm.Chessboard(container, {
    assetsUrl: ASSETS,
    responsive: false, // fit() does this
    style: { cssClass: 'stamma', borderType: cm.BORDER_TYPE.none, animationDuration: STILL.matches ? 0 : 180 },
    extensions: [
      { class: cm.Markers, props: { autoMarkers: null } }, { class: cm.Arrows, props: { headSize: 5 } }],
  });
  const picture = container.querySelector('svg');
  const moving = () => board.positionAnimationsQueue.workingOnPromise;

  /* Adapts the board to the size of its container. This draws all pieces again, but an animation keeps the pieces that
   * it moves. Therefore waits for animations: setting the current position again waits for the animations in the queue. */
  async function fit() {
    while (moving()) await board.setPosition(board.getPosition());
    if (container.clientWidth > 0) board.view.handleResize();
  }

  new ResizeObserver(() => setTimeout(fit)).observe(container);
  let legal = [];
  let below = 'w';
  let turning = Promise.resolve(); // the board is turned once at a time

  // Returns the move between two squares. Castling is also recognized as a move of the king to the rook.
  const fitting = (from, to) => legal.filter((move) => move.from === from
    && (move.to === to || (/^O-O(?!-O)/.test(move.san) && to === `h${from[1]}`) || (/^O-O-O/.test(move.san) && to === `a${from[1]}`)));

  let promotion = null; // loaded when a pawn can promote
  const loadPromotion = () => (promotion ??= import('../cm-chessboard/src/extensions/promotion-dialog/PromotionDialog.js')
    .then(({ PromotionDialog }) => { board.addExtension(PromotionDialog, { language: 'en' }); return true; })
    .catch(() => { promotion = null; return false; })); // the server cannot be reached

  async function choosePromotion(moves) {
    if (!await loadPromotion()) {
      board.setPosition(shown);
      return;
    }
    const colour = moves[0].to[1] === '8' ? 'w' : 'b';
    board.showPromotionDialog(moves[0].to, colour, (choice) => {
      const move = choice?.piece && moves.find((one) => one.promotion === choice.piece[1]);
      if (move) onMove(move);
      else board.setPosition(shown);
    });
  }

  const sameSquares = (a, b) => a?.from === b?.from && a?.to === b?.to;
  let shown = cm.FEN.empty;
  let marked = null;
  let finished = null;
  board.enableMoveInput((event) => {
    if (event.type === cm.INPUT_EVENT_TYPE.moveInputStarted) {
      const moves = legal.filter((move) => move.from === event.squareFrom);
      board.removeLegalMovesMarkers();
      board.addLegalMovesMarkers(moves);
      return moves.length > 0;
    }
    if (event.type === cm.INPUT_EVENT_TYPE.validateMoveInput) {
      const moves = fitting(event.squareFrom, event.squareTo);
      finished = moves.length > 0 ? moves : null;
      return moves.length > 0;
    }
    if (event.type === cm.INPUT_EVENT_TYPE.moveInputCanceled) board.removeLegalMovesMarkers();
    if (event.type === cm.INPUT_EVENT_TYPE.moveInputFinished) {
      board.removeLegalMovesMarkers();
      const moves = finished;
      finished = null;
      if (moves?.length > 1) choosePromotion(moves);
      else if (moves) onMove(moves[0]);
    }
    return true;
  });

  return {
    show(fen, { moves = [], last = null, animated = true } = {}) {
      legal = moves;
      if (moves.some((move) => move.promotion)) loadPromotion();
      picture.setAttribute('aria-label', inWords(fen));
      if (shown === fen.split(' ')[0] && sameSquares(last, marked)) return; // a piece may be being dragged: do not redraw
      shown = fen.split(' ')[0];
      marked = last;
      if (!moving()) fit(); // the board may have been hidden
      board.removeArrows();
      board.removeMarkers();
      if (last) [last.from, last.to].forEach((square) => board.addMarker(LAST_MOVE, square));
      board.setPosition(shown, animated && !document.hidden);
    },
    point(uci) {
      board.removeArrows(cm.ARROW_TYPE.default);
      if (uci) board.addArrow(cm.ARROW_TYPE.default, uci.slice(0, 2), uci.slice(2, 4));
    },
    hint(ucis) {
      for (const type of HINTS) board.removeArrows(type);
      ucis.forEach((uci, i) => board.addArrow(HINTS[Math.min(i, 1)], uci.slice(0, 2), uci.slice(2, 4)));
    },
    flip() { return this.turn(below === 'w' ? 'b' : 'w'); },
    turn(colour) {
      below = colour;
      turning = turning.then(() => (board.getOrientation() === below ? undefined : board.setOrientation(below, false)));
      return turning;
    },
    orientation: () => below,
  };
}
