/* SPDX-License-Identifier: MIT */
// Repertoires in the browser's storage: one entry each, {id, name, color, fen, moves, cards, changed}. `cards` has the
// states of schedule.js by position. A file of repertoires has the same entries.

import { isPlacement } from '../base/rules.js';

const PREFIX = 'repertoire:';
const FORM = 'stamma repertoires';
const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;
const visit = new Map(); // if the browser stores nothing: for this visit

// ---- reading entries of others ----

const texts = (...values) => values.every((value) => typeof value === 'string');
const counts = (...values) => values.every((value) => Number.isFinite(value) && value >= 0);

function readMoves(moves) {
  if (!Array.isArray(moves)) return [];
  return moves.filter((move) => UCI.test(move?.uci) && texts(move.san)).map((move) => ({ uci: move.uci, san: move.san, mark: move.mark === true, moves: readMoves(move.moves) }));
}

const readCards = (cards) => Object.fromEntries(Object.entries(cards ?? {})
  .filter(([, card]) => counts(card?.box, card?.due, card?.right, card?.wrong)).map(([name, { box, due, right, wrong }]) => [name, { box: Math.min(7, Math.floor(box)), due, right, wrong }]));

/** Returns a valid entry from any value; null if it is none. */
export function readEntry(one) {
  if (!texts(one?.id, one?.name, one?.fen) || !/^\w{1,40}$/.test(one.id) || !isPlacement(one.fen)) return null;
  return { id: one.id, name: one.name.slice(0, 200), color: one.color === 'black' ? 'black' : 'white', fen: one.fen, moves: readMoves(one.moves), cards: readCards(one.cards),
    changed: counts(one.changed) ? one.changed : 0 };
}

/** Writes entries as a file. */
export const toFile = (entries) => `${JSON.stringify({ form: FORM, version: 1, repertoires: entries })}\n`;

/** Reads a file. Throws an error if it has no repertoires. */
export function fromFile(text) {
  let file = null;
  try { file = JSON.parse(text); } catch { /* another file */ }
  const entries = file?.form === FORM && Array.isArray(file.repertoires) ? file.repertoires.map(readEntry).filter(Boolean) : [];
  if (entries.length === 0) throw new Error('The file has no repertoires that Stamma has saved.');
  return entries;
}

// ---- the storage ----

function kept(name) {
  try { return localStorage.getItem(name) ?? visit.get(name); } catch { return visit.get(name); }
}

function read(name) {
  try { return readEntry(JSON.parse(kept(name) ?? 'null')); } catch { return null; }
}

function names() {
  try { return [...new Set([...Object.keys(localStorage), ...visit.keys()])].filter((name) => name.startsWith(PREFIX)); } catch { return [...visit.keys()]; }
}

/** Returns all repertoires, the last changed first. */
export const stored = () => names().map(read).filter(Boolean).sort((a, b) => b.changed - a.changed);

/** Returns whether a key of the browser's storage is the one of an entry. */
export const isEntry = (name, id) => name === PREFIX + id;

export const storedAs = (id) => read(PREFIX + id);

/** Stores an entry. Returns false if it is kept only for this visit. */
export function store(entry) {
  const text = JSON.stringify(entry);
  try {
    localStorage.setItem(PREFIX + entry.id, text);
    visit.delete(PREFIX + entry.id);
    return true;
  } catch {
    visit.set(PREFIX + entry.id, text);
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

/** Stores the entries of a file, except those that are stored with later changes. Returns the number of stored ones. */
export function bring(entries) {
  const newer = entries.filter((entry) => (storedAs(entry.id)?.changed ?? -1) < entry.changed);
  newer.forEach(store);
  return newer.length;
}
