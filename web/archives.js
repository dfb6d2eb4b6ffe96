// Archives: the archives that the server has, and how to begin if there are none.

import { announce, el, fillWhenThere } from './dom.js';
import { format } from './address.js';
import { archives } from './api.js';
import { bytes, count, games } from './words.js';

let parts = null;
let request = null;

const code = (text) => el('pre', {}, el('code', {}, text));

/** Describes how to make an archive and serve it. */
function steps() {
  return el('ol', { class: 'steps' },
    el('li', {}, el('h2', {}, 'Pack games'), el('p', {}, 'An archive contains the games of a PGN file, and restores the file byte for byte. Compressed files (zip, gzip, bzip2, xz, zstd) can be packed as they are.'),
      code('stamma pack games.pgn -o games.stamma')),
    el('li', {}, el('h2', {}, 'Index the archive'), el('p', {}, 'With an index, the moves of every position are found in milliseconds, however many games there are.'),
      code('stamma index games.stamma')),
    el('li', {}, el('h2', {}, 'Serve the archive'), el('p', {}, 'Several archives can be served together. ', el('code', {}, '--open'), ' opens this page.'),
      code('stamma serve games.stamma --open')));
}

function row(one) {
  const link = el('a', { href: format('explore', { archive: one.number }) }, one.name);
  return el('tr', {}, el('th', { scope: 'row', class: 'name' }, link), el('td', { class: 'n' }, count(one.games)), el('td', { class: 'n plies' }, count(one.plies)),
    el('td', { class: 'n' }, bytes(one.bytes)), el('td', { class: 'index' }, one.index ?? 'none'));
}

function table(list) {
  const head = ['Archive', ['Games', 'n'], ['Plies', 'n plies'], ['Size', 'n'], ['Index', 'index']].map((one) => {
    const [label, name] = [one].flat();
    return el('th', { scope: 'col', class: name }, label);
  });
  return el('table', { class: 'archives-table' }, el('caption', { class: 'unseen' }, 'Served archives'), el('thead', {}, el('tr', {}, ...head)), el('tbody', {}, ...list.map(row)));
}

function overview(list) {
  const all = list.reduce((sum, one) => sum + one.games, 0);
  announce(list.length === 0 ? 'No archive is served' : `${list.length} archives`);
  if (list.length === 0) return [el('h1', {}, 'How to begin'), el('p', { class: 'summary' }, 'The server runs, but it has no games yet.'), steps()];
  return [el('h1', {}, 'Archives'), el('p', { class: 'summary' }, `${games(all)} in ${list.length === 1 ? 'one archive' : `${count(list.length)} archives`}`), table(list),
    el('details', {}, el('summary', {}, 'How to serve other games'), steps())];
}

function load() {
  request?.abort();
  request = new AbortController();
  fillWhenThere(parts.list, archives(request.signal), overview, load);
}

export const archivesView = {
  title: 'Archives',
  show(item, params, target) {
    if (!parts) {
      parts = { list: el('div', { class: 'archives-list' }) };
      target.append(parts.list);
    }
    load();
  },
  hide() {
    request?.abort();
    parts = null;
  },
};
