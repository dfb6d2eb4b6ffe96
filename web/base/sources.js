/* SPDX-License-Identifier: MIT */
// The archives that are served, and what has changed since they were requested.

import { archives } from './api.js';
import { forget } from './answers.js';
import { count, games } from './words.js';

let served = [];

/** Returns the archives: {number, name, games, uploaded, version ...}. */
export const sources = () => served;

/** Returns the name of a served archive. */
export const archiveName = (number) => served.find((one) => one.number === number)?.name ?? `archive ${number + 1}`;

const state = (list) => JSON.stringify(list.map((one) => [one.number, one.name, one.games, one.version]));

/** Requests the archives, and returns them; null if the server cannot be reached. Call this before views are shown, so
 * that nothing moves later, and when the archives have changed. */
export async function loadSources() {
  const list = await archives().catch(() => null);
  if (!list) return null;
  if (state(list) !== state(served)) forget();
  served = list;
  return list;
}

/** Returns whether two lists of archives have other games. */
export const differ = (before, after) => state(before) !== state(after);

const same = (one) => (other) => other.number === one.number && other.name === one.name;

/** Describes in words how a list of archives has changed; '' if only their versions have. */
export function changesInWords(before, after) {
  const several = after.length > 1;
  const grown = after.map((one) => ({ ...one, more: one.games - (before.find(same(one)) ?? one).games })).filter((one) => one.more !== 0);
  const added = after.filter((one) => !before.some(same(one)));
  const gone = before.filter((one) => !after.some(same(one)));
  return [...grown.map(({ name, games: now, more }) => `${several ? `${name}: ` : ''}${games(now)} now${more > 0 ? ` (${count(more)} new)` : ''}`),
    ...added.map((one) => `${one.name} is new: ${games(one.games)}`),
    ...gone.map((one) => `${one.name} is gone${one.uploaded ? ': the server keeps opened files only until it ends' : ''}`)].join('. ');
}

/** Returns the numbers of the archives that are asked without a choice: those that the command names, or all. */
export function usual(list) {
  const named = list.filter((one) => !one.uploaded);
  return (named.length > 0 ? named : list).map((one) => one.number);
}
