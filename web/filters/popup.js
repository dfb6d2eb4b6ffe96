/* SPDX-License-Identifier: MIT */
// A button with a box that opens below it, and closes when the reader turns to another part of the page.

import { el } from '../base/dom.js';

/** Creates the button and its box: {element, button, box, close()}. */
export function createPopup(label, name = '') {
  const box = el('div', { class: 'menu-box' });
  const button = el('summary', {}, label);
  const element = el('details', { class: `menu ${name}`.trim() }, button, box);
  const close = () => { element.open = false; };
  element.addEventListener('keydown', (event) => { if (event.key === 'Escape' && element.open) { close(); button.focus(); } });
  element.addEventListener('focusout', (event) => { if (event.relatedTarget && !element.contains(event.relatedTarget)) close(); });
  document.addEventListener('pointerdown', (event) => { if (!element.contains(event.target)) close(); });
  return { element, button, box, close };
}
