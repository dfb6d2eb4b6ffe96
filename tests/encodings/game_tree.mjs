/* SPDX-License-Identifier: MIT */
// The positions of a game, as nodes of a tree: what the codes of games compute of a position is computed once.

import { afterMove, inCanonicalOrder, isSameMove, legalMoves } from './chess_rules.mjs';
import { predict } from './move_predictor.mjs';

export class GameNode {
  constructor(position, history = [], start = position) {
    Object.assign(this, { position, history, start, children: [] });
  }

  get moves() { return (this.legal ??= inCanonicalOrder(legalMoves(this.position))); }

  indexOf(move) { return this.moves.findIndex(other => isSameMove(other, move)); }

  next(move) {
    let child = this.children.find(each => isSameMove(each.move, move));
    if (!child) {
      child = new GameNode(afterMove(this.position, move), [...this.history, move], this.start);
      this.children.push(Object.assign(child, { move }));
    }
    return child;
  }

  // The legal moves in the predictor's order with their frequencies.
  predicted(weights) { return (this.prediction ??= predict(weights, this.position, this.moves, this.history, this.start)); }

  // The legal moves from the most likely; of equally likely moves, the first in the predictor's order is first.
  ranked(weights) {
    this.ranking ??= [...this.predicted(weights)].sort((a, b) => b.frequency - a.frequency).map(each => each.move);
    return this.ranking;
  }
}
