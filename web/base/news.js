/* SPDX-License-Identifier: MIT */
// A line at the bottom of the window about the server: archives that have changed, and a server that cannot be reached.
// The page asks for the list of archives every few seconds while it is visible.

import { isLocal, onUnreachable } from './api.js';
import { el } from './dom.js';
import { changesInWords, differ, loadSources, sources } from './sources.js';
import { loadSheet } from './sheets.js';

const EVERY = 5000;     // milliseconds between requests
const SOON = 1000;      // before the first try to reach the server again; then twice as long, at most EVERY
const SHOWN = 20000;    // how long a line is shown
const LOST = 'The server cannot be reached, trying again …';

let line = null;
let fading = 0;

/** Shows a text, and a button: its label and what it does, or nothing. A text that `stays` is not removed. */
function say(text, { stays = false, label = '', act = null } = {}) {
  clearTimeout(fading);
  line.replaceChildren(...(text ? [el('span', {}, text), act && el('button', { type: 'button', class: 'quiet', onclick: () => { say(''); act(); } }, label)].filter(Boolean) : []));
  if (text && !stays) fading = setTimeout(() => say(''), SHOWN);
}

/** Calls act(), which replaces parts of the view. If a link of the view has the focus, the link that replaces it has the
 * focus later. */
async function keepFocus(act) {
  const href = document.activeElement?.closest('#view a')?.getAttribute('href');
  act();
  for (let i = 0; i < 100 && document.querySelector('#view [aria-busy]'); i += 1) await new Promise((done) => { setTimeout(done, 50); });
  const link = href && document.activeElement === document.body && document.querySelector(`#view a[href="${CSS.escape(href)}"]`);
  if (link) link.focus({ preventScroll: true });
}

/** Begins to watch the archives. view.refresh() shows the view again if they have changed and view.isQuick(). Otherwise
 * the line has a button that calls view.renew(), which begins the view again. This is also called when the server can be
 * reached again, if the view shows an error. */
export function watchSources(view) {
  let lost = false;
  let wait = EVERY;
  let timer = 0;
  line = el('p', { class: 'news', role: 'status' });
  document.body.append(line);
  loadSheet('base/news.css').catch(() => {});

  function report(before, after) {
    const text = [lost && 'The server is there again', changesInWords(before, after)].filter(Boolean).join('. ');
    const failed = document.querySelector('#view .notice.error') !== null;
    const changed = differ(before, after);
    if (failed) view.renew();
    else if (changed && view.isQuick()) keepFocus(view.refresh);
    if (text) say(`${text}.`, changed && !failed && !view.isQuick() ? { label: 'Show them', act: view.renew } : {});
  }

  async function look() {
    clearTimeout(timer);
    const before = sources();
    const list = document.hidden ? before : await loadSources();
    if (list === null) lose();
    else if (lost || differ(before, list)) { report(before, list); lost = false; }
    wait = lost ? Math.min(2 * wait, EVERY) : EVERY;
    timer = setTimeout(look, wait);
  }

  function lose() {
    if (lost) return;
    lost = true;
    wait = SOON / 2;
    say(isLocal() ? 'The archives cannot be read in this browser.' : LOST, { stays: true });
  }

  onUnreachable(() => { if (!lost) { lose(); clearTimeout(timer); timer = setTimeout(look, SOON); } });
  document.addEventListener('visibilitychange', () => { if (!document.hidden) look(); });
  timer = setTimeout(look, EVERY);
}
