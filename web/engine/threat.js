/* SPDX-License-Identifier: MIT */
// The threat: the best move of the side that is not to move, if the other side passes. Found by the engine after a null
// move, which is not possible in check.

import { announce, el } from '../base/dom.js';
import { analyse } from '../base/api.js';
import { legalMoves, playOne } from '../base/rules.js';
import { threatAt } from '../board/column.js';
import { evaluation } from '../base/words.js';
import { valueOf } from './engine.js';

const DEPTH = 14;
const IN_CHECK = 'In check: there is no threat before the check is answered.';

const sideAfter = (fen) => (fen.split(' ')[1] === 'w' ? 'Black' : 'White'); // the side that is not to move

/** Creates the button and the line of the threat. position() returns {fen, start, play}. Returns {button, line, toggle(),
 * clear()}. */
export function createThreat(position) {
  const line = el('p', { class: 'engine-threat', hidden: true });
  const button = el('button', { type: 'button', class: 'quiet', 'aria-pressed': 'false', 'aria-keyshortcuts': 'x', title: 'What the other side threatens (key x)', onclick: () => toggle() }, 'Threat');
  let request = null;

  function clear() {
    request?.abort();
    request = null;
    line.hidden = true;
    button.setAttribute('aria-pressed', 'false');
    threatAt(null);
  }

  function say(text, aloud = false) {
    line.textContent = text;
    if (aloud) announce(text);
  }

  const inWords = (fen, best, depth) => `${sideAfter(fen)} threatens ${best.san[0]} · ${evaluation(valueOf(best))} · depth ${depth}`;

  async function run(at, own) {
    const said = { move: null };
    const take = (update) => {
      const best = update.lines?.[0];
      if (request !== own || !best) return;
      threatAt(best.uci[0]);
      say(inWords(at.fen, best, update.depth), said.move !== best.uci[0]);
      said.move = best.uci[0];
    };
    try {
      await analyse({ fen: at.start, play: [at.play, '0000'].filter(Boolean).join(','), depth: DEPTH }, take, own.signal);
      if (request === own && !said.move) say(`${sideAfter(at.fen)} threatens nothing.`, true);
    } catch (error) {
      if (request === own && error.name !== 'AbortError') say(error.final ? IN_CHECK : error.message, true);
    }
  }

  /* Shows the threat, or hides it. */
  function toggle() {
    const shown = button.getAttribute('aria-pressed') === 'true';
    clear();
    if (shown) return;
    const at = position();
    button.setAttribute('aria-pressed', 'true');
    line.hidden = false;
    if (legalMoves(at.fen).length > 0 && !playOne(at.fen, '--')) { say(IN_CHECK, true); return; }
    say('…');
    request = new AbortController();
    run(at, request);
  }

  return { button, line, toggle, clear };
}
