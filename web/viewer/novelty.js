// The first move of a game after which no earlier game of the archives has the position.

import { el } from '../base/dom.js';
import { count, games, moveNumber } from '../base/words.js';

const others = (n) => (n === 0 ? 'no other game' : n === 1 ? '1 other game' : `${count(n)} other games`);

/** Returns the sentence about a novelty. `san` is its move, `ply` counts from White's first move. */
export function noveltyInWords(answer, san, ply) {
  if (!answer.dated) return 'The date of the game is not known, and so it is not known whether a move was new.';
  if (answer.ply === null) return 'Earlier games have all positions of this game.';
  return `${moveNumber(ply)} ${san} is new in these archives. The position before it: ${games(answer.earlier_games)} of earlier months; after it: ${others(answer.later_games)}.`;
}

/** Marks the move in a game's list of moves. */
export function markNovelty(moves, answer) {
  const link = answer.ply && moves.querySelector(`[data-at="main.${answer.ply}"]`);
  if (link) link.append(el('span', { class: 'novelty', title: 'new in these archives' }, 'N'));
}
