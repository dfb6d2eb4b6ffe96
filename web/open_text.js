/* SPDX-License-Identifier: MIT */
// Opens texts that were pasted, or that are in a file. The view Analysis and its modules are loaded for them.

import { loadView } from './views.js';

async function loaded() {
  const [paste] = await Promise.all([import('./analysis/paste.js'), loadView('analysis')]);
  return paste;
}

/** Opens a text that was pasted, and shows a message. The promise is rejected if the modules cannot be loaded. */
export const openPasted = async (text) => (await loaded()).pasteText(text);

/** Opens the games of a PGN file as analyses. Returns a message, or ''; null if the file has no game. */
export const openFile = async (text, name) => (await loaded()).openGames(text, name);
