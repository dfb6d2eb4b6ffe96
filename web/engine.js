// What the views know about the server's chess engine.

import { health } from './api.js';

let limits = null;

/** Asks the server for the limits of its engine, {name, threads, memory, time}. */
export async function loadEngine() {
  try {
    limits = (await health()).engine ?? null;
  } catch {
    limits = null; // the views report that the server cannot be reached
  }
}

/** Returns these limits; null if there is no engine, and before loadEngine has ended. */
export const engineLimits = () => limits;

/** Returns the evaluation of a line in the form of the archive: centipawns from White's side, or {mate}. */
export const valueOf = (line) => (line.mate === undefined ? line.cp : { mate: line.mate });
