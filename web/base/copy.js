/* SPDX-License-Identifier: MIT */
// Buttons that copy texts.

import { el } from './dom.js';

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = el('textarea', { class: 'unseen' }, text); // pages without TLS have no clipboard
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  return undefined;
}

/** Creates the buttons that copy: {FEN: () => text, ...}. said(message) is called afterwards. */
export function copyButtons(texts, said) {
  return Object.entries(texts).map(([name, make]) => el('button', { type: 'button', 'data-copy': name, onclick: async () => {
    const text = make();
    if (text === null) return;
    try {
      await copy(text);
      said(`Copied: ${name}`);
    } catch {
      said(`The browser does not allow copying. ${name}: ${text}`);
    }
  } }, `Copy ${name}`));
}
