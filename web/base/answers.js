/* SPDX-License-Identifier: MIT */
// Answers of the server that are kept for some minutes, so that a position that was shown is shown again at once.

const MOST = 200;
const LIFE = 5 * 60 * 1000; // milliseconds: archives may grow

const kept = new Map(); // from the oldest to the newest

/** Returns the answer that is kept under a name, or undefined. */
export function recall(name) {
  const one = kept.get(name);
  if (one && Date.now() - one.since < LIFE) return one.answer;
  kept.delete(name);
  return undefined;
}

/** Forgets all answers: the archives have changed. */
export const forget = () => kept.clear();

export function keep(name, answer) {
  kept.delete(name);
  kept.set(name, { answer, since: Date.now() });
  if (kept.size > MOST) kept.delete(kept.keys().next().value);
  return answer;
}
