/* SPDX-License-Identifier: MIT */
// Evaluations of the moves of a table: one search of all moves that deepens, while the engine is on. It stops while the tab
// is hidden, and when another position or view is shown.

import { analyse } from '../base/api.js';
import { isEngineOn, watchEngine } from './engine_panel.js';
import { valueOf } from './engine.js';

const DEPTH = 14;
const MOST = 40; // moves, as the server allows
const WAIT = 150; // milliseconds, as for the lines
const KEPT = 200; // positions whose evaluations are kept

const kept = new Map(); // {depth, values} by position

function keep(key, one) {
  kept.delete(key);
  kept.set(key, one);
  if (kept.size > KEPT) kept.delete(kept.keys().next().value);
}

/** Creates the evaluations of a view. show(values, depth) is called with a Map of evaluations by move in UCI, empty at
 * first, and with null when the engine is switched off. Returns {set(position), stop()}: position is {fen, play, ucis}, or
 * null. */
export function createMoveEvals(show) {
  let [at, request, timer] = [null, null, null];

  const key = () => `${at.fen} ${at.play}`;

  function take(update) {
    const { depth, values } = kept.get(key()) ?? { depth: 0, values: new Map() };
    if (!update.lines?.length || update.depth < depth) return;
    const next = new Map([...values, ...update.lines.map((line) => [line.uci[0], valueOf(line)])]);
    keep(key(), { depth: update.depth, values: next });
    show(next, update.depth);
  }

  function end() {
    clearTimeout(timer);
    request?.abort();
    request = null;
  }

  async function run() {
    const own = new AbortController();
    request = own;
    const moves = at.ucis.slice(0, MOST).join(',');
    try {
      await analyse({ fen: at.fen, play: at.play, searchmoves: moves, depth: DEPTH }, (update) => { if (request === own) take(update); }, own.signal);
    } catch { /* stopped, or the panel reports the error of the engine */ }
  }

  function restart() {
    end();
    if (!at) return;
    if (!isEngineOn()) { show(null); return; }
    const known = kept.get(key());
    show(known?.values ?? new Map(), known?.depth ?? 0);
    if (document.hidden || at.ucis.length === 0 || known?.depth >= DEPTH) return;
    timer = setTimeout(run, WAIT);
  }

  document.addEventListener('visibilitychange', restart);
  watchEngine(restart);
  return {
    set(position) { at = position; restart(); },
    stop() {
      at = null;
      end();
      document.removeEventListener('visibilitychange', restart);
      watchEngine(null);
    },
  };
}
