/* SPDX-License-Identifier: MIT */
// The first move of a game that leads to a position that no earlier game of the archives has. Finding the move needs a
// search for each position of the game, so it is only looked for when the reader asks.

import { announce, el } from '../base/dom.js';
import { count, games, moveNumber } from '../base/words.js';

const others = (n) => (n === 0 ? 'no other game' : n === 1 ? '1 other game' : `${count(n)} other games`);

/** Returns the sentence about a novelty. `san` is its move; `ply` counts from White's first move. */
export function noveltyInWords(answer, san, ply) {
  if (!answer.dated) return 'The date of the game is not known, and so it is not known whether a move was new.';
  if (answer.ply === null) return 'Earlier games have all positions of this game.';
  return `${moveNumber(ply)} ${san}: the first game of these archives with this position. ${games(answer.earlier_games)} of earlier months ${answer.earlier_games === 1 ? 'has' : 'have'} the position before it; ${others(answer.later_games)} ${answer.later_games > 1 ? 'have' : 'has'} the position after it.`;
}

/** Marks the move in a game's list of moves. */
export function markNovelty(moves, answer) {
  const link = moves.querySelector(`[data-at="main.${answer.ply}"]`);
  if (link) link.append(el('span', { class: 'novelty', title: 'new move: no earlier game of these archives has this position' }, 'N'));
}

/** Creates the line with the button. ask() requests the answer; words(answer) returns its sentence; found(answer) is
 * called with it, and marks the move. */
export function createNovelty(ask, words, found) {
  const line = el('p', { class: 'hint novelty-line' });
  const button = el('button', { type: 'button', class: 'quiet', onclick: look }, 'Look for the new move');
  const say = (text) => { line.replaceChildren(text); announce(text); };

  async function look() {
    button.disabled = true;
    button.textContent = 'Looking for the new move …';
    try {
      const answer = await ask();
      found(answer);
      say(words(answer));
    } catch (error) {
      if (error.name !== 'AbortError') say(error.message);
    }
  }

  line.append(button);
  return line;
}
