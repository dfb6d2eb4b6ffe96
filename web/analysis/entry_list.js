/* SPDX-License-Identifier: MIT */
// Lists of stored analyses, with buttons to delete and restore them.

import { el } from '../base/dom.js';
import { format } from '../base/address.js';
import { removeEntry, restoreEntry } from '../study/entries.js';

function toggleButton(entry) {
  const button = el('button', { type: 'button', class: 'quiet', onclick: () => {
    const gone = button.closest('li').classList.toggle('deleted');
    (gone ? removeEntry : restoreEntry)(entry.id);
    label(gone);
  } });
  const label = (gone) => {
    button.textContent = gone ? 'Restore' : 'Delete';
    button.setAttribute('aria-label', `${button.textContent} ${entry.title}`);
  };
  label(Boolean(entry.deleted));
  return button;
}

const day = (time) => new Date(time).toISOString().slice(0, 10);

/** Creates a list of analyses. more(entry) returns further nodes of a row. */
export function entryList(entries, more = () => []) {
  return el('ul', { class: 'entries' }, ...entries.map((entry) => el('li', { class: entry.deleted ? 'deleted' : null },
    el('a', { href: format('analysis', {}, entry.id) }, entry.title), el('small', {}, day(entry.changed)), toggleButton(entry), ...more(entry))));
}
