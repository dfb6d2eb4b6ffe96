/* SPDX-License-Identifier: MIT */
// Analyses in the browser's storage: one entry each, with its PGN.
//
// An entry is {id, pgn, title, folder, source, edited, changed, deleted, seen, times, replaced}. `source` is the PGN from
// which it was made, or '': the same PGN opens the same analysis again. `deleted` is the time of deletion, or 0: entries are
// kept for a month after it. study.js describes the last three. Older entries lack some members.

import { createStorage } from '../base/storage.js';

const MONTH = 30 * 24 * 3600 * 1000;

const storage = createStorage('analysis:');

const all = () => storage.all().filter((entry) => entry?.id && typeof entry.pgn === 'string');

/** Returns all analyses that are not deleted, the last changed first. */
export const stored = () => all().filter((entry) => !entry.deleted).sort((a, b) => b.changed - a.changed);

/** Returns the deleted analyses, the last deleted first. */
export const deleted = () => all().filter((entry) => entry.deleted).sort((a, b) => b.deleted - a.deleted);

/** storedAs(id) returns an entry, also a deleted one; null if there is none. forget(id) removes an entry for good. The others are
 * those of base/storage.js. */
export const { read: storedAs, published, store, forget, unstored, newId } = storage;

/** Removes entries that were deleted more than a month ago. */
export function forgetOld() {
  deleted().filter((entry) => Date.now() - entry.deleted > MONTH).forEach((entry) => forget(entry.id));
}

/** Calls act(id) when another tab changes an entry, and act(null) when it changes all. Returns a function that ends this. */
export function watchStore(act) {
  const listener = ({ key }) => { if (key === null || storage.idOf(key) !== null) act(storage.idOf(key)); };
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}
