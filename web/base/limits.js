/* SPDX-License-Identifier: MIT */
// What the server can do: its engine, uploads and tablebases, as /health describes them.

import { health } from './api.js';

let known = null;

/** Asks the server, and returns the answer. */
export async function loadLimits() {
  known = await health();
  return known;
}

/** Returns the answer; null before loadLimits() has ended. */
export const limits = () => known;
