/* SPDX-License-Identifier: MIT */
// Style sheets that are only loaded when a part of the page needs them.

import { el } from './dom.js';

const loaded = new Map(); // promises by address

/** Adds a style sheet to the page, once. The promise is rejected if the sheet cannot be loaded. */
export function loadSheet(href) {
  if (!loaded.has(href)) {
    loaded.set(href, new Promise((done, fail) => {
      const link = el('link', { rel: 'stylesheet', href, onload: done, onerror: () => { loaded.delete(href); link.remove(); fail(new Error(`${href} cannot be loaded`)); } });
      document.head.append(link);
    }));
  }
  return loaded.get(href);
}
