/* SPDX-License-Identifier: MIT */
// The openings along a line: the last name, and how the names changed. An opening is {ply, eco, name}; names belong to
// positions, whatever moves led to them.

import { el } from './dom.js';

/** Returns the last of a line's openings up to a ply, or undefined. */
export const openingAt = (openings, ply) => openings.filter((one) => one.ply <= ply).at(-1);

/* "Sicilian Defense: Najdorf Variation" after "Sicilian Defense: Open" adds "Najdorf Variation". */
function added(name, before) {
  const parts = name.split(/(?<=[:,]) /);
  const known = before.split(/[:,] /);
  const same = parts.findIndex((part, i) => part.replace(/[:,]$/, '') !== known[i]);
  return parts.slice(Math.max(same, 0)).join(' ');
}

/** Returns the steps by which the names change up to a ply: {ply, text}. */
export function openingSteps(openings, ply) {
  const steps = [];
  let before = '';
  for (const one of openings.filter((other) => other.ply <= ply && other.ply > 0)) {
    if (before.startsWith(one.name)) continue; // the same name, or one that is less exact
    steps.push({ ply: one.ply, text: added(one.name, before) });
    before = one.name;
  }
  return steps;
}

/** Returns the nodes of an opening: its code and its name. */
export const openingName = (one) => [el('span', { class: 'eco' }, one.eco), ' ', one.name];

/** Creates the line with the steps, each a link to its ply. It keeps its height if there are no steps, so that nothing
 * moves. href(ply) is the address of a position. */
export function openingTrail(openings, ply, href) {
  const steps = openingSteps(openings, ply);
  if (steps.length < 2) return el('p', { class: 'trail' });
  return el('nav', { class: 'trail', 'aria-label': 'How the names of the opening changed' }, ...steps.flatMap((step, i) => [
    i > 0 && el('span', { 'aria-hidden': 'true' }, ' › '), el('a', { href: href(step.ply) }, step.text)]));
}
