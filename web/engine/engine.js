/* SPDX-License-Identifier: MIT */
// The access of the views to the server's chess engine. The parts of the page for the engine are only loaded if the
// server has an engine.

import { loadLimits } from '../base/limits.js';
import { loadSheet } from '../base/sheets.js';

const WITHOUT = { element: null, evals: () => null, stop() {} };
const NO_EVALS = { set() {}, stop() {} };

let limits = null;
let panel = null;
let analysis = null;
let moves = null;

/** Asks the server for the limits of its engine, {name, threads, memory, time}, and loads the parts for it. */
export async function loadEngine() {
  try {
    const found = (await loadLimits()).engine ?? null;
    if (found) [panel, analysis, moves] = await Promise.all([import('./engine_panel.js'), import('./game_analysis.js'), import('./move_evals.js'), loadSheet('engine/engine.css')]);
    limits = found;
  } catch {
    limits = null; // the views report that the server cannot be reached
  }
}

/** Returns these limits; null if there is no engine, and before loadEngine has ended. */
export const engineLimits = () => limits;

/** Puts the panel of the engine into the column. Call this once, after the column was made. */
export const createEngine = () => limits && panel.createEngine();

/** Turns the engine on or off, as its switch does. Returns whether there is an engine. */
export const toggleEngine = () => limits !== null && panel.toggleEngine();

/** Shows what the side that is not to move threatens, or hides it. Returns whether there is an engine. */
export const toggleThreat = () => limits !== null && panel.toggleThreat();

/** Creates the evaluations of the moves of a table (move_evals.js). Without an engine, show is never called. */
export const createMoveEvals = (show) => (limits ? moves.createMoveEvals(show) : NO_EVALS);

/** Creates the controls that analyse a game (game_analysis.js). The element is null if there is no engine. */
export const createGameAnalysis = (game, change) => (limits ? analysis.createGameAnalysis(game, change) : WITHOUT);

/** Returns the evaluation of a line in the form of the archive: centipawns from White's side, or {mate}. */
export const valueOf = (line) => (line.mate === undefined ? line.eval_cp : { mate: line.mate });
