/* SPDX-License-Identifier: MIT */
// Explanations in place: a button that opens a few lines next to itself, by click, touch or key; some also open while
// the pointer or the focus is on the button. Escape, a click elsewhere or scrolling closes them.

import { el } from './dom.js';

const LEAVE = 200; // milliseconds in which the pointer can move from the button to the explanation
const GAP = 6; // pixels between the button and the explanation, and to the sides of the window

function place(box, button) {
  const [at, own] = [button.getBoundingClientRect(), box.getBoundingClientRect()];
  const below = at.bottom + GAP + own.height <= innerHeight;
  box.style.left = `${Math.max(GAP, Math.min(at.left, innerWidth - own.width - GAP))}px`;
  box.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - own.height)}px`;
}

/** Opens the box while the pointer or the focus is on the button; a click then keeps it open. */
function openOnHover(box, button) {
  let passing = false; // open because of the pointer or the focus
  let timer = 0;
  const stay = () => clearTimeout(timer);
  const open = () => { stay(); if (!box.matches(':popover-open')) { passing = true; box.showPopover(); } };
  const leave = () => { stay(); timer = setTimeout(() => { if (passing) box.hidePopover(); }, LEAVE); };
  button.addEventListener('pointerenter', (event) => { if (event.pointerType === 'mouse') open(); });
  button.addEventListener('focus', () => { if (button.matches(':focus-visible')) open(); });
  button.addEventListener('blur', () => { if (passing) box.hidePopover(); });
  button.addEventListener('click', (event) => { if (passing) event.preventDefault(); passing = false; });
  button.addEventListener('pointerleave', leave);
  box.addEventListener('pointerenter', stay);
  box.addEventListener('pointerleave', leave);
  box.addEventListener('toggle', (event) => { if (event.newState === 'closed') passing = false; });
}

/** Creates a button with a label, and the element that it opens. make() returns the nodes to show when it is opened.
 * attributes: further attributes of the button. hovers: it also opens while the pointer or the focus is on the button. */
export function explanation(label, make, attributes = {}, hovers = false) {
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
  if (hovers) openOnHover(box, button);
  return [button, box];
}
