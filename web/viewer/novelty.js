/* SPDX-License-Identifier: MIT */
// The first move of a game that leads to a position that no earlier game of the archives has.

import { el } from '../base/dom.js';
import { count, games, moveNumber } from '../base/words.js';

const BEGINNING = 10; // plies that are new in every small archive
const MANY = 100;     // earlier games that make a new move among these plies notable

const others = (n) => (n === 0 ? 'no other game' : n === 1 ? '1 other game' : `${count(n)} other games`);

/** Returns whether a new move is worth a mark. `ply` counts from White's first move. */
export const isNotable = (answer, ply) => answer.ply !== null && (ply > BEGINNING || answer.earlier_games >= MANY);

/** Returns the sentence about a novelty, or nothing if it is not worth a mark. `san` is its move. */
export function noveltyInWords(answer, san, ply) {
  if (!answer.dated) return 'The date of the game is not known, and so it is not known whether a move was new.';
  if (answer.ply === null) return 'Earlier games have all positions of this game.';
  if (!isNotable(answer, ply)) return '';
  return `${moveNumber(ply)} ${san}: the first game of these archives with this position. ${games(answer.earlier_games)} of earlier months ${answer.earlier_games === 1 ? 'has' : 'have'} the position before it; ${others(answer.later_games)} ${answer.later_games > 1 ? 'have' : 'has'} the position after it.`;
}

/** Marks the move in a game's list of moves. */
export function markNovelty(moves, answer) {
  const link = moves.querySelector(`[data-at="main.${answer.ply}"]`);
  if (link) link.append(el('span', { class: 'novelty', title: 'new move: no earlier game of these archives has this position' }, 'N'));
}
