/* SPDX-License-Identifier: MIT */
// The list from which a game was opened: the games before and after it, also beyond the part that was shown, and the way
// back to its place in the list.

import { format, parse } from '../base/address.js';
import { findStream } from '../base/api.js';
import { gameAddress, PAGE } from './games.js';

const KEY = 'game-list';
const PATIENCE = 5000; // milliseconds until the list must have been drawn again

function stored() {
  try { return JSON.parse(sessionStorage.getItem(KEY)); } catch { return null; }
}

function store(list) {
  try { sessionStorage.setItem(KEY, JSON.stringify(list)); } catch { /* no storage: games are then not linked to their list */ }
}

/** Remembers the list of a link to a game that is followed. Games that were found by a search are a part of a list. */
function follow(event) {
  const row = event.target.closest?.('.games tbody tr[data-id]');
  if (!row || !event.target.closest('a')) return;
  const rows = [...row.parentElement.querySelectorAll('tr[data-id]')];
  const { part, count, next } = row.closest('table').dataset;
  store({ back: location.hash || '#/explore', games: rows.map((one) => ({ id: one.dataset.id, href: one.querySelector('a').getAttribute('href') })),
    part: part ? { ...JSON.parse(part), next: next ? Number(next) : null } : null, count: Math.max(rows.length, Number(count) || 0) });
}

/** Returns the address of the part of a list that begins with a game. */
function partAddress(list, offset) {
  const { view, item, params } = parse(list.back);
  return format(view, { ...params, offset: offset || null }, item);
}

/** Loads another part of a list, and stores it. Returns the address of its first game, or of its last. */
async function load(list, offset, last) {
  const found = [];
  const limit = last ? list.part.offset - offset : PAGE;
  const end = await findStream({ ...list.part.query, sort: list.part.sort, offset, limit }, (line) => {
    if (line.games) found.splice(0, found.length, ...line.games); // games that are sorted again
    else if (line.game) found.push(line.game);
  });
  const games = found.map((game) => ({ id: game.id, href: gameAddress(game) }));
  if (games.length === 0) throw new Error('There are no more games.');
  store({ back: partAddress(list, offset), games, part: { ...list.part, offset, next: end.next }, count: Math.max(list.count, end.count) });
  return games.at(last ? -1 : 0).href;
}

/** Returns {href} of the game before or after another game of the list. If the game is in a part that is not loaded,
 * `href` is the address of that part, and load() returns a promise of the address of the game. */
function neighbour(list, at, step) {
  if (list.games[at + step]) return list.games[at + step];
  const offset = step > 0 ? list.part?.next : Math.max(0, list.part?.offset - PAGE);
  if (!list.part || offset === null || (step < 0 && list.part.offset === 0)) return null;
  return { href: partAddress(list, offset), load: () => load(list, offset, step < 0) };
}

/** Returns the place of a game in the list from which it was opened: {at, count, previous, next, sorted, back}; null if
 * there is none. `previous` and `next` are {href, load()} as neighbour() returns them, or null. `sorted`: the server
 * sorts no games after this one. */
export function placeInList(id) {
  const list = stored();
  const at = list?.games.findIndex((one) => one.id === id) ?? -1;
  if (at < 0) return null;
  const place = at + (list.part?.offset ?? 0);
  const next = neighbour(list, at, 1);
  return { at: place, count: list.count, previous: neighbour(list, at, -1), next, sorted: Boolean(list.part?.sort) && !next && place + 1 < list.count, back: list.back };
}

/** Marks the row of a game, shows it, and focuses its link. Returns whether the row is there. */
function showRow(id) {
  const row = [...document.querySelectorAll('.games tbody tr[data-id]')].find((one) => one.dataset.id === id);
  if (!row) return false;
  row.classList.add('visited');
  row.scrollIntoView({ block: 'center' });
  row.querySelector('a').focus({ preventScroll: true });
  return true;
}

/** After the way back from a game, shows its row as soon as the list is drawn, and again if the list is drawn again. */
function returned(event) {
  const [, id] = new URL(event.oldURL || location.href).hash.match(/^#\/game\/([^?]+)/) ?? [];
  if (!id || stored()?.back !== location.hash) return;
  let found = false;
  const watcher = new MutationObserver(() => {
    if (!found || document.activeElement === document.body) found = showRow(decodeURIComponent(id)) || found;
  });
  watcher.observe(document.getElementById('view'), { childList: true, subtree: true });
  setTimeout(() => watcher.disconnect(), PATIENCE);
}

/** Begins to remember lists. */
export function watchLists() {
  document.addEventListener('click', follow, true);
  window.addEventListener('hashchange', returned);
}
