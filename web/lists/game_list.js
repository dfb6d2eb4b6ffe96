// The list from which a game was opened: the games before and after it, and the way back to its place in the list.

const KEY = 'game-list';
const PATIENCE = 5000; // milliseconds until the list must have been drawn again

function stored() {
  try { return JSON.parse(sessionStorage.getItem(KEY)); } catch { return null; }
}

function store(list) {
  try { sessionStorage.setItem(KEY, JSON.stringify(list)); } catch { /* no storage: games are then not linked to their list */ }
}

/** Remembers the list of a link to a game that is followed. */
function follow(event) {
  const row = event.target.closest?.('.games tbody tr[data-id]');
  if (!row || !event.target.closest('a')) return;
  const rows = [...row.parentElement.querySelectorAll('tr[data-id]')];
  store({ back: location.hash || '#/explore', games: rows.map((one) => ({ id: one.dataset.id, href: one.querySelector('a').getAttribute('href') })) });
}

/** Returns the place of a game in the list from which it was opened: {at, count, previous, next, back}; null if there is
 * none. `previous` and `next` are addresses or undefined. */
export function placeInList(id) {
  const list = stored();
  const at = list?.games.findIndex((one) => one.id === id) ?? -1;
  if (at < 0) return null;
  return { at, count: list.games.length, previous: list.games[at - 1]?.href, next: list.games[at + 1]?.href, back: list.back };
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
