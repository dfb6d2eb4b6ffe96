/* SPDX-License-Identifier: MIT */
// The views, with the modules and style sheets that they need. Each is loaded when it is shown for the first time, or a
// moment earlier: when the pointer or the focus is on a link to it.

import { parse } from './base/address.js';
import { loadSheet } from './base/sheets.js';

// A module exports `view`: {title, show(item, params, target), hide()}. `target` is empty if another view was shown
// before. key(event), if a view has it, handles its own keys and returns whether it used the key.
const views = {
  explore: [() => import('./explore/explore.js'), 'explore/explore.css'],
  game: [() => import('./viewer/viewer.js'), 'viewer/game.css'],
  analysis: [() => import('./analysis/analysis.js'), 'viewer/game.css', 'analysis/analysis.css'],
  search: [() => import('./search/search.js'), 'search/search.css'],
  statistics: [() => import('./statistics/statistics.js'), 'statistics/statistics.css'],
  encodings: [() => import('./encodings/encodings.js'), 'search/search.css', 'encodings/encodings.css'],
  duplicates: [() => import('./archives/duplicates.js'), 'archives/duplicates.css'],
  archives: [() => import('./archives/archives.js'), 'archives/archives.css'],
  player: [() => import('./players/repertoire.js'), 'statistics/statistics.css', 'players/players.css'],
  training: [() => import('./training/training.js'), 'statistics/statistics.css', 'players/players.css', 'training/training.css'],
  prepare: [() => import('./players/preparation.js'), 'players/players.css'],
  unknown: [() => import('./base/unknown.js')],
};

const promises = new Map();
const loaded = new Map();

/** Returns the name of the view of an address; `unknown` if there is none. */
export const viewOf = (address) => { const { view } = parse(address); return Object.hasOwn(views, view) ? view : 'unknown'; };

/** Returns a view, or undefined before it is loaded. */
export const loadedView = (name) => loaded.get(name);

/** Loads a view. The promise is rejected if the server cannot be reached. */
export function loadView(name) {
  if (!promises.has(name)) {
    const [module, ...sheets] = views[name];
    const all = Promise.all([module(), ...sheets.map(loadSheet)]).then(([{ view }]) => { loaded.set(name, view); return view; });
    all.catch(() => promises.delete(name));
    promises.set(name, all);
  }
  return promises.get(name);
}

function prepare(event) {
  const place = event.target.closest?.('a[href^="#/"], tr[data-id]');
  const link = place?.matches('tr') ? place.querySelector('a[href^="#/"]') : place;
  if (link) loadView(viewOf(link.getAttribute('href'))).catch(() => {}); // a click reports the error
}

/** Begins to load views when a link to them is about to be followed. */
export function watchLinks() {
  for (const type of ['pointerover', 'pointerdown', 'focusin']) document.addEventListener(type, prepare, { passive: true });
}
