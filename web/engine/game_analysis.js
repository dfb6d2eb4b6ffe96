/* SPDX-License-Identifier: MIT */
// The analysis of a complete game: each position to the same depth, one after another.

import { el } from '../base/dom.js';
import { analyse } from '../base/api.js';
import { valueOf } from './engine.js';
import { pauseEngine } from './engine_panel.js';

const DEPTHS = [10, 14, 18, 22];
const USUAL = 14;

const analysed = new Map(); // evaluations by game

/* Resolves when the tab is visible. */
const visible = () => new Promise((done) => {
  if (!document.hidden) done();
  else document.addEventListener('visibilitychange', () => done(visible()), { once: true });
});

/* Returns the evaluation of a position. A position without moves is won, or equal. */
async function evaluate(position, signal, whiteToMove) {
  let best = null;
  const last = await analyse(position, (update) => { best = update.lines?.[0] ?? best; }, signal);
  if (last.end === 'mate') return { mate: whiteToMove ? -1 : 1, over: true };
  return last.end === 'stalemate' ? 0 : best && valueOf(best);
}

/** Creates the controls for a game. game: {key, fen, ucis, isWhite(ply)}; change(evals) is called with the evaluations so
 * far. Returns {element, evals(), stop()}. */
export function createGameAnalysis(game, change) {
  let request = null;
  const depth = el('select', { 'aria-label': 'Depth of the analysis' }, ...DEPTHS.map((value) => el('option', { value, selected: value === USUAL }, `depth ${value}`)));
  const progress = el('progress', { max: game.ucis.length + 1, value: 0, 'aria-label': 'Analysed positions', hidden: true });
  const button = el('button', { type: 'button', onclick: () => (request ? stop() : start()) });
  const message = el('span', { class: 'hint', role: 'status' });

  function show() {
    button.textContent = request ? 'Stop' : analysed.has(game.key) ? 'Analyse again' : 'Analyse game';
    progress.hidden = !request;
    depth.hidden = request !== null;
  }

  function stop() {
    if (!request) return;
    request.abort();
    request = null;
    pauseEngine(false);
    show();
  }

  async function each(evals, signal) {
    for (let ply = 0; ply <= game.ucis.length; ply += 1) {
      await visible();
      if (signal.aborted) return;
      evals[ply] = await evaluate({ fen: game.fen, play: game.ucis.slice(0, ply).join(','), depth: depth.value }, signal, game.isWhite(ply + 1));
      progress.value = ply + 1;
      change(evals);
    }
  }

  async function start() {
    const own = new AbortController();
    request = own;
    progress.value = 0;
    message.textContent = '';
    pauseEngine(true);
    show();
    const evals = Array(game.ucis.length + 1).fill(null);
    analysed.set(game.key, evals);
    change(evals); // makes room for the chart
    try {
      await each(evals, own.signal);
    } catch (error) {
      if (error.name !== 'AbortError') message.textContent = error.message;
    }
    if (request === own) stop();
  }

  show();
  return { element: el('div', { class: 'game-analysis' }, button, depth, progress, message), evals: () => analysed.get(game.key) ?? null, stop };
}
