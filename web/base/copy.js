/* SPDX-License-Identifier: MIT */
// Copies text.

import { announce, el } from './dom.js';

async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = el('textarea', { class: 'unseen' }, text); // pages without TLS have no clipboard
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  return undefined;
}

/** Copies a text with the name `name`, and calls said(message). */
export async function copyText(name, text, said = announce) {
  try {
    await copy(text);
    said(`Copied: ${name}`);
  } catch {
    said(`The browser does not allow copying. ${name}: ${text}`);
  }
}

/** Creates a button that copies the complete address of the page with the view that hash() returns. The button shows for
 * some seconds that the address was copied. */
export function linkButton(hash) {
  const button = el('button', { type: 'button', class: 'copy-link', 'data-copy': 'link' }, 'Copy link');
  const said = (message) => {
    announce(message);
    if (!message.startsWith('Copied')) return;
    button.textContent = 'Link copied';
    setTimeout(() => { button.textContent = 'Copy link'; }, 2000);
  };
  button.addEventListener('click', () => copyText('link', location.href.replace(/#.*/s, '') + hash(), said));
  return button;
}

/** Creates the buttons that copy: {FEN: () => text, ...}. A text of null copies nothing. said(message) is called afterwards. */
export function copyButtons(texts, said) {
  return Object.entries(texts).map(([name, make]) => el('button', { type: 'button', 'data-copy': name, onclick: () => {
    const text = make();
    return text === null ? undefined : copyText(name, text, said);
  } }, `Copy ${name}`));
}
