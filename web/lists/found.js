/* SPDX-License-Identifier: MIT */
// The games that a search finds: their number and results, a bar with the progress, the games as soon as they are found,
// the order of the games, pages, and links to save the games.

import { announce, el, notice } from '../base/dom.js';
import { go } from '../base/address.js';
import { findStream } from '../base/api.js';
import { gameRow, gamesTable, PAGE, saveLinks } from './games.js';
import { count, games, percent } from '../base/words.js';

const PATIENCE = 200; // milliseconds before a search is shown as running: most end earlier
const ORDERS = [['', 'unsorted'], ['-rating', 'highest rating'], ['rating', 'lowest rating'], ['-date', 'latest'], ['date', 'earliest'],
  ['-plies', 'longest'], ['plies', 'shortest']];

let cancel = () => {}; // ends the search that is running

// A browser may keep a page that was left, with its requests.
window.addEventListener('pagehide', () => cancel());

const share = (part, whole) => `${Math.floor((100 * part) / whole)} %`;

function build(options) {
  const order = el('select', { 'aria-label': 'Order of the games' }, ...ORDERS.map(([value, label]) => el('option', { value }, label)));
  const parts = {
    order, title: el('h2', {}), bar: el('progress', { max: 1, value: 0, 'aria-label': 'Part that is searched' }), note: el('span', {}),
    button: el('button', { type: 'button', class: 'quiet' }), list: el('div', { class: 'found-list' }), foot: el('div', { class: 'found-foot' }),
  };
  parts.head = el('div', { class: 'found-head' }, el('div', { class: 'found-title' }, parts.title, el('label', { class: 'aligned' }, el('span', {}, 'Order'), order)),
    parts.bar, el('p', { class: 'summary found-note' }, parts.note, parts.button));
  order.addEventListener('change', () => go(options.href({ sort: order.value, offset: null })));
  return parts;
}

/** Shows the number of games, a text, and the button: its label and what it does, or nothing. */
function say(parts, title, note, label = '', act = null) {
  parts.title.replaceChildren(title);
  parts.note.replaceChildren(note);
  parts.button.textContent = label;
  parts.button.onclick = act;
  parts.button.hidden = !act;
  parts.bar.classList.toggle('idle', label !== 'Cancel');
}

const soFar = (state) => (state.count > 0 ? `${games(state.count)} so far` : 'No game so far');

function results(last) {
  const part = (n) => percent(n, last.count);
  return last.count ? `White ${part(last.white_wins)} · drawn ${part(last.draws)} · Black ${part(last.black_wins)}` : '';
}

/** Creates links to the pages before and after this one, and to save the games. */
function foot(last, shown, state, options) {
  const link = (offset, label) => el('a', { class: 'button', href: options.href({ offset, sort: state.sort }) }, label);
  const unsorted = last.more && last.next === null && shown > 0;
  return [el('nav', { class: 'pages', 'aria-label': 'Pages of games' }, last.offset > 0 && link(Math.max(0, last.offset - PAGE) || null, 'Back'),
    shown > 0 && el('span', {}, `${count(last.offset + 1)}–${count(last.offset + shown)}`), last.next !== null && link(last.next, 'More')),
  unsorted && el('p', { class: 'hint' }, `Only the first ${count(last.offset + shown)} games are sorted.`),
  options.saves && last.count > 0 && el('p', { class: 'links' }, ...saveLinks(state.query, last.count))].filter(Boolean);
}

/** Ends the state in which the list shows games of the search before. */
function renew(parts) {
  parts.list.classList.remove('old');
  parts.list.inert = false;
}

/** Adds a game to the table, or replaces the games of the table. */
function show(parts, state, line, options) {
  const table = { columns: options.columns, caption: 'Games found' };
  if (line.games || !state.body) {
    const filled = gamesTable(line.games ?? [line.game], table);
    state.body = filled.tBodies[0];
    filled.dataset.part = JSON.stringify({ query: state.query, sort: state.sort, offset: state.offset });
    parts.list.replaceChildren(filled);
    parts.list.classList.add('fresh');
    renew(parts);
  } else {
    state.body.append(gameRow(line.game, table));
  }
}

function finish(parts, state, last, options) {
  const shown = state.body?.rows.length ?? 0;
  if (state.body) Object.assign(state.body.parentElement.dataset, { count: last.count, next: last.next ?? '' });
  say(parts, last.count ? games(last.count) : '', results(last));
  if (shown === 0) parts.list.replaceChildren(...[notice('empty', last.count > 0 ? 'No further game.' : 'No game was found.'), last.count === 0 && options.none?.()].filter(Boolean));
  parts.foot.replaceChildren(...foot(last, shown, state, options));
  announce(last.count ? games(last.count) : 'No game found');
}

function fail(parts, state, error, again) {
  say(parts, '', '');
  if (!state.body) parts.list.replaceChildren();
  parts.list.prepend(notice('error', error.message, error.final ? null : again));
  parts.foot.replaceChildren();
}

function cancelled(parts, state, again) {
  say(parts, soFar(state), `Cancelled after ${share(state.searched, 1)}`, 'Search again', again);
  if (!state.body) parts.list.replaceChildren();
  parts.foot.replaceChildren();
  announce(`Cancelled. ${soFar(state)}`);
}

/** Creates the elements of a search: `head`, `list` and `foot`. options: columns, as in gamesTable(); href(change), the
 * address with another `offset` or `sort`; saves: whether there are links to save the games; none(), what is shown if no game is
 * found, or null. */
export function createFound(options) {
  const parts = build(options);
  let request = null;
  let timer = 0;

  const stop = () => { clearTimeout(timer); request?.abort(); request = null; renew(parts); };

  function take(line, state) {
    if ('searched' in line) Object.assign(state, line);
    else if (line.game || line.games) show(parts, state, line, options);
    if (!state.running) return;
    const old = parts.list.inert ? '; below is the search before' : '';
    say(parts, state.count > 0 ? soFar(state) : 'Searching …', `${share(state.searched, 1)} searched${old}`, 'Cancel', state.cancel);
    parts.bar.value = state.searched;
  }

  /** Shows that the search is running: the games of the search before, if any, become pale and cannot be used. */
  function showRunning(state) {
    state.running = true;
    parts.foot.replaceChildren();
    const old = !state.body && Boolean(parts.list.querySelector('.games'));
    parts.list.classList.toggle('old', old);
    parts.list.inert = old;
    if (!state.body) announce('Searching');
    take({}, state);
  }

  /** Starts a search; place: {offset, sort}. The old games remain until a new one is found, or the search ends. */
  async function start(query, place) {
    stop();
    const again = () => start(query, place);
    const mine = new AbortController();
    const state = { ...place, query, count: 0, searched: 0, body: null, running: false, cancel: () => { state.cancelled = true; mine.abort(); } };
    request = mine;
    cancel = state.cancel;
    parts.order.value = place.sort ?? '';
    parts.list.setAttribute('aria-busy', 'true');
    parts.list.classList.remove('fresh');
    timer = setTimeout(() => showRunning(state), PATIENCE);
    try {
      const wanted = { ...query, offset: place.offset, sort: place.sort, limit: PAGE };
      finish(parts, state, await findStream(wanted, (line) => take(line, state), mine.signal), options);
    } catch (error) {
      if (state.cancelled) cancelled(parts, state, again);
      else if (error.name === 'AbortError') return; // another search has begun
      else fail(parts, state, error, again);
    } finally {
      if (request === mine) { clearTimeout(timer); renew(parts); parts.list.removeAttribute('aria-busy'); }
    }
  }

  /** Shows an error, or other nodes, instead of games. */
  function clear(...nodes) {
    stop();
    say(parts, '', '');
    parts.list.removeAttribute('aria-busy');
    parts.list.replaceChildren(...nodes);
    parts.foot.replaceChildren();
  }

  return { head: parts.head, list: parts.list, foot: parts.foot, start, stop, clear };
}
