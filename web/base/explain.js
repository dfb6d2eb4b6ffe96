/* SPDX-License-Identifier: MIT */
// Explanations in place: a button that opens a few lines next to itself, by pointer, touch or key. Escape, a click
// elsewhere or scrolling closes them.

import { el } from './dom.js';

const GAP = 6; // pixels between the button and the explanation, and to the sides of the window

function place(box, button) {
  const [at, own] = [button.getBoundingClientRect(), box.getBoundingClientRect()];
  const below = at.bottom + GAP + own.height <= innerHeight;
  box.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - own.width - GAP))}px`;
  box.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - own.height)}px`;
}

/** Creates a button with a label, and the element that it opens. make() returns the nodes to show when it is opened.
 * attributes: further attributes of the button. */
export function explanation(label, make, attributes = {}) {
  const box = el('div', { class: 'explanation', popover: 'auto' });
  const button = el('button', { type: 'button', class: 'explain', ...attributes }, label);
  const close = () => box.hidePopover();
  button.popoverTargetElement = box;
  box.addEventListener('beforetoggle', (event) => {
    box.replaceChildren(...(event.newState === 'open' ? [make()].flat() : []));
  });
  box.addEventListener('toggle', (event) => {
    if (event.newState !== 'open') return;
    place(box, button);
    window.addEventListener('scroll', close, { once: true, capture: true, passive: true });
  });
  return [button, box];
}
