/* SPDX-License-Identifier: MIT */
// Shows the view of the address. Handles keys and colours for all views.

import { announce, byId, notice } from './base/dom.js';
import { format, go, parse } from './base/address.js';
import { createColumn, hideColumn, pressed, showBelow, showPlayers } from './board/column.js';
import { createEngine, loadEngine, toggleEngine, toggleThreat } from './engine/engine.js';
import { watchSources } from './base/news.js';
import { loadSources } from './base/sources.js';
import { watchPreviews } from './board/preview.js';
import { loadedView, loadView, viewOf, watchLinks } from './views.js';

let shown = null;

/** Removes the view that is shown, if any. */
function clear() {
  shown?.hide();
  shown = null;
  hideColumn();
  showPlayers(null, null);
  showBelow();
  byId('view').replaceChildren();
}

function show(view, name) {
  const { item, params } = parse(location.hash);
  const target = byId('view');
  if (view !== shown) {
    const first = shown === null;
    clear();
    target.className = name;
    document.title = `${view.title} – Stamma`;
    if (!first) announce(view.title);
  }
  shown = view;
  view.show(item, params, target);
}

function fail() {
  clear();
  byId('view').append(notice('error', 'The server cannot be reached. Is stamma serve still running?', () => location.reload()));
}

const BOARDLESS = ['explore']; // views that can be shown before the board is there
let column = null; // fulfilled when there is a board
let hasBoard = false;

const canShow = (name) => loadedView(name) && (hasBoard || BOARDLESS.includes(name));

/** Loads what a view needs before it is shown. */
const loadParts = (name) => Promise.all([loadView(name), BOARDLESS.includes(name) ? null : column]);

/** Shows the view of the address, as soon as it is loaded. */
function route() {
  const { hash } = location;
  const name = viewOf(hash);
  const entry = name === 'duplicates' ? 'archives' : name;
  for (const link of document.querySelectorAll('header [data-view]')) {
    if (link.dataset.view === entry) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const nav = document.querySelector('header nav');
  const current = nav.querySelector('[aria-current]');
  if (current) nav.scrollLeft = current.offsetLeft - nav.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
  const still = (act) => () => { if (location.hash === hash) act(); };
  if (canShow(name)) show(loadedView(name), name);
  else loadParts(name).then(still(route), still(fail));
}

const CHEAP = ['explore', 'archives']; // views whose answers need no long search

const remembered = (key) => { try { return localStorage.getItem(key); } catch { return null; } };
const remember = (key, value) => { try { localStorage.setItem(key, value); } catch { /* no storage: for this visit only */ } };

const THEMES = { system: 'Colours of the system', light: 'Light colours', dark: 'Dark colours' }; // in the order of the button

const theme = () => document.documentElement.dataset.theme ?? 'system';

/** Shows the colours on the button: which are used, and which come next. */
function showTheme() {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(theme()) + 1) % names.length];
  byId('theme').setAttribute('aria-label', THEMES[theme()]);
  byId('theme').title = `${THEMES[theme()]}; next: ${THEMES[next].toLowerCase()}`;
  return next;
}

function changeTheme() {
  const next = showTheme();
  if (next === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
  remember('theme', next);
  showTheme();
  announce(THEMES[next]);
}

async function openSearch() {
  go('#/search');
  await loadView('search');
  setTimeout(() => document.querySelector('#view input')?.focus());
}

const letters = { '/': openSearch, '?': () => byId('help').showModal(), e: () => toggleEngine(), x: () => toggleThreat(), m: () => byId('typed-move').focus(),
  n: () => document.querySelector('.game-bar .next')?.click(), p: () => document.querySelector('.game-bar .previous')?.click() };

/* Whether an element uses keys itself. A closed dialog keeps the focus until the next frame, and uses none. */
function usesKeys(element) {
  const user = element.closest('input, textarea, select, dialog[open], [role=grid]:not(.board-grid)');
  return user && user.getClientRects().length > 0;
}

function key(event) {
  if (usesKeys(event.target) || event.defaultPrevented || event.altKey) return;
  const modified = event.ctrlKey || event.metaKey;
  const single = event.key.length === 1 && !modified;
  if (single && !byId('single-keys').checked) return;
  if (!shown?.key?.(event)) {
    if (modified) return;
    if (letters[event.key]) letters[event.key]();
    else if (!pressed(event.key)) return;
  }
  event.preventDefault();
}

const TEXT_FIELDS = 'textarea, [contenteditable], input:not([type="checkbox"], [type="radio"], [type="button"], [type="range"], [type="file"])';

/* Opens pasted text, except in fields and dialogs. */
async function paste(event) {
  const text = event.clipboardData?.getData('text') ?? '';
  if (event.defaultPrevented || text === '' || event.target.closest?.(TEXT_FIELDS) || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  await import('./open_text.js').then(({ openPasted }) => openPasted(text)).catch(fail);
}

byId('theme').addEventListener('click', changeTheme);
showTheme();
byId('help-button').addEventListener('click', () => byId('help').showModal());
byId('single-keys').checked = remembered('single-keys') !== 'off';
byId('single-keys').addEventListener('change', (event) => remember('single-keys', event.target.checked ? 'on' : 'off'));
document.querySelector('.skip').addEventListener('click', (event) => { event.preventDefault(); byId('main').focus(); });

/** Shows the first view. Without archives, this view explains how to serve some. */
async function begin() {
  const served = await loadSources();
  if (!location.hash && served?.length === 0) history.replaceState(null, '', format('archives'));
}

/** Loads what is not needed before the first view. */
async function startRest() {
  const [{ watchLists }, { acceptFiles }] = await Promise.all([import('./lists/game_list.js'), import('./archives/drop.js')]);
  watchLists();
  acceptFiles();
}

watchLinks();
const first = loadView(viewOf(location.hash)).catch(() => {}); // route() reports the error
column = first.then(startRest).then(createColumn).then(() => { hasBoard = true; }); // the view before the board
await Promise.all([begin(), loadEngine()]);
createEngine();
document.addEventListener('keydown', key);
document.addEventListener('paste', paste);
watchPreviews();
watchSources({ isQuick: () => CHEAP.includes(viewOf(location.hash)), refresh: route, renew: () => { clear(); route(); } });
window.addEventListener('hashchange', route);
route();
