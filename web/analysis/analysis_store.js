/* SPDX-License-Identifier: MIT */
// Analyses in the browser's storage: one entry each, with its PGN.
//
// An entry is {id, pgn, title, source, edited, changed}. `source` is the PGN from which it was made, or '': the same PGN
// opens the same analysis again.

const PREFIX = 'analysis:';
const visit = new Map(); // if the browser stores nothing: for this visit

function read(key) {
  try { return JSON.parse(localStorage.getItem(key) ?? visit.get(key) ?? 'null'); } catch { return JSON.parse(visit.get(key) ?? 'null'); }
}

function keys() {
  try { return [...new Set([...Object.keys(localStorage), ...visit.keys()])].filter((key) => key.startsWith(PREFIX)); } catch { return [...visit.keys()]; }
}

/** Returns all analyses, the last changed first. */
export const stored = () => keys().map(read).filter((entry) => entry?.id && typeof entry.pgn === 'string').sort((a, b) => b.changed - a.changed);

export const storedAs = (id) => read(PREFIX + id);

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

export function forget(id) {
  visit.delete(PREFIX + id);
  try { localStorage.removeItem(PREFIX + id); } catch { /* nothing is stored */ }
}

/** Returns an id that no entry has. */
export function newId() {
  let number = Date.now();
  while (storedAs(number.toString(36))) number += 1;
  return number.toString(36);
}
