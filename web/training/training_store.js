/* SPDX-License-Identifier: MIT */
// Repertoires in the browser's storage: one entry each, {id, name, color, fen, moves, cards, changed}. `cards` has the
// states of schedule.js by position. A file of repertoires has the same entries.

import { isPlacement } from '../base/rules.js';
import { createStorage } from '../base/storage.js';

const FORM = 'stamma repertoires';
const UCI = /^[a-h][1-8][a-h][1-8][qrbn]?$/;

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

const storage = createStorage('repertoire:');

const valid = (value) => { try { return readEntry(value); } catch { return null; } };

/** Returns all repertoires, the last changed first. */
export const stored = () => storage.all().map(valid).filter(Boolean).sort((a, b) => b.changed - a.changed);

/** Returns whether a key of the browser's storage is the one of an entry. */
export const isEntry = (key, id) => storage.idOf(key) === id;

export const storedAs = (id) => valid(storage.read(id));

/** Those of base/storage.js. */
export const { store, forget, newId } = storage;

/** Stores the entries of a file, except those that are stored with later changes. Returns the number of stored ones. */
export function bring(entries) {
  const newer = entries.filter((entry) => (storedAs(entry.id)?.changed ?? -1) < entry.changed);
  newer.forEach(store);
  return newer.length;
}
