/* SPDX-License-Identifier: MIT */
// Analyses in the browser's storage: one entry each, with its PGN.
//
// An entry is {id, pgn, title, folder, source, edited, changed, deleted, seen, times, replaced}. `source` is the PGN from
// which it was made, or '': the same PGN opens the same analysis again. `deleted` is the time of deletion, or 0: entries are
// kept for a month after it. study.js describes the last three. Older entries lack some members.

const PREFIX = 'analysis:';
const MONTH = 30 * 24 * 3600 * 1000;
const visit = new Map(); // what the browser does not store: for this visit

function parsed(text) {
  try { return JSON.parse(text); } catch { return null; }
}

function read(key) {
  if (visit.has(key)) return parsed(visit.get(key));
  try { return parsed(localStorage.getItem(key)); } catch { return null; }
}

function keys() {
  try { return [...new Set([...Object.keys(localStorage), ...visit.keys()])].filter((key) => key.startsWith(PREFIX)); } catch { return [...visit.keys()]; }
}

const all = () => keys().map(read).filter((entry) => entry?.id && typeof entry.pgn === 'string');

/** Returns all analyses that are not deleted, the last changed first. */
export const stored = () => all().filter((entry) => !entry.deleted).sort((a, b) => b.changed - a.changed);

/** Returns the deleted analyses, the last deleted first. */
export const deleted = () => all().filter((entry) => entry.deleted).sort((a, b) => b.deleted - a.deleted);

/** Returns an entry, also a deleted one; null if there is none. */
export const storedAs = (id) => read(PREFIX + id);

/** Returns the entry as other tabs see it. */
export function published(id) {
  try { return parsed(localStorage.getItem(PREFIX + id)); } catch { return null; }
}

/** Stores an entry. Returns false if it is kept only for this visit. */
export function store(entry) {
  const [key, text] = [PREFIX + entry.id, JSON.stringify(entry)];
  try {
    localStorage.setItem(key, text);
    visit.delete(key);
    return true;
  } catch {
    visit.set(key, text);
    return false;
  }
}

/** Removes an entry for good. */
export function forget(id) {
  visit.delete(PREFIX + id);
  try { localStorage.removeItem(PREFIX + id); } catch { /* nothing is stored */ }
}

/** Removes entries that were deleted more than a month ago. */
export function forgetOld() {
  deleted().filter((entry) => Date.now() - entry.deleted > MONTH).forEach((entry) => forget(entry.id));
}

/** Returns the number of analyses that the browser does not store, because its storage is full or disabled. */
export const unstored = () => visit.size;

/** Returns an id that no entry has. */
export function newId() {
  let number = Date.now();
  while (storedAs(number.toString(36))) number += 1;
  return number.toString(36);
}

/** Calls act(id) when another tab changes an entry, and act(null) when it changes all. Returns a function that ends this. */
export function watchStore(act) {
  const listener = ({ key }) => { if (key === null || key.startsWith(PREFIX)) act(key && key.slice(PREFIX.length)); };
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}
