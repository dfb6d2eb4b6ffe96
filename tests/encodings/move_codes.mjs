/* SPDX-License-Identifier: MIT */
// All codes of one move: name to function (view, move) that returns { bits, value }, or null if the code cannot represent the
// move. `value` is a number, or a text for uci, san and lan. A view is a position with its legal moves in canonical order.

import { NULL_MOVE, inCanonicalOrder, isSameMove, legalMoves } from './chess_rules.mjs';
import { lanOf, sanOf, uciOf } from './chess_notation.mjs';
import * as fixed from './fixed_move_codes.mjs';
import * as indexed from './indexed_move_codes.mjs';
import * as numbered from './numbered_move_codes.mjs';

export const viewOf = position => ({ position, moves: inCanonicalOrder(legalMoves(position)) });

const text = value => ({ bits: 8 * value.length, value });

export const MOVE_CODES = {
  'move16': fixed.move16,
  'butterfly': fixed.butterfly,
  'move32': fixed.move32,
  'uci': (view, move) => text(uciOf(move, view.position.side)),
  'enumeration': fixed.enumeration,
  'move14': fixed.move14,
  'move12': fixed.move12,
  'san': (view, move) => text(sanOf(view.position, move, view.moves)),
  'lan': (view, move) => text(lanOf(view.position, move)),
  'direction-target': fixed.directionTarget,
  'check-flag': indexed.checkFlag,
  'legal-index': indexed.legalIndex,
  'legal-index-bits': indexed.legalIndexBits,
  'pseudo-legal-index-bits': indexed.pseudoLegalIndexBits,
  'two-index-bits': indexed.twoIndexBits,
  'bcgn': indexed.bcgn,
  'bcgn-square': indexed.bcgnSquare,
  'tarrasch': numbered.tarrasch,
  'tarrasch-one-queen': numbered.tarraschOneQueen,
  'tojot': numbered.tojot,
  'tojot-split': numbered.tojotSplit,
  'tojot-mixed': numbered.tojotMixed,
  'tojot-bits': numbered.tojotBits,
  'tojot-split-bits': numbered.tojotSplitBits,
  'many-queens': numbered.manyQueens,
  'many-promotions': numbered.manyPromotions,
};

// Each legal move has exactly one code, so the decoder searches for it. Returns the moves with this code.
export function decodeMove(name, view, { bits, value }) {
  return [...view.moves, NULL_MOVE].filter(move => {
    const code = MOVE_CODES[name](view, move);
    return code && code.bits === bits && code.value === value;
  });
}

export { isSameMove };
