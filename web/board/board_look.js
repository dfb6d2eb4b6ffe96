/* SPDX-License-Identifier: MIT */
// How boards look: colours, pieces, coordinates and animations. The choice is stored in the browser, and all boards of the
// page follow it.

import { loadPieces, SETS } from '../base/pieces.js';

/** The colours of the squares (board.css). */
export const COLOURS = { paper: 'Paper', brown: 'Brown', green: 'Green', blue: 'Blue', contrast: 'High contrast' };
export { SETS };

const KEY = 'board';
const STILL = matchMedia('(prefers-reduced-motion: reduce)');
const FIRST = { colours: matchMedia('(prefers-contrast: more)').matches ? 'contrast' : 'paper', pieces: 'cburnett', coordinates: true, animation: true };
const missing = new Set(); // sets that cannot be loaded
let look = { ...FIRST };

function stored() {
  try { return JSON.parse(localStorage.getItem(KEY)) ?? {}; } catch { return {}; }
}

function store() {
  try { localStorage.setItem(KEY, JSON.stringify(look)); } catch { /* no storage: until the page is loaded again */ }
}

/** Shows the chosen pieces. Without them, shows the plain ones. */
async function showPieces() {
  const name = look.pieces;
  if (await loadPieces(name)) return;
  missing.add(name);
  if (name === look.pieces && name !== 'plain') { look.pieces = 'plain'; await loadPieces('plain'); }
}

function show() {
  const { dataset } = document.documentElement;
  dataset.board = look.colours;
  dataset.coordinates = look.coordinates ? 'on' : 'off';
}

export const isAnimated = () => look.animation && !STILL.matches;
export const currentLook = () => ({ ...look });

/** Returns the names of the piece sets of this build. */
export const pieceSets = () => Object.keys(SETS).filter((name) => !missing.has(name));

/** Applies the stored choice. The pieces may appear later. */
export function loadLook() {
  const known = Object.entries({ ...FIRST, ...stored() }).filter(([key]) => key in FIRST);
  look = Object.fromEntries(known);
  if (!(look.colours in COLOURS)) look.colours = FIRST.colours;
  if (!(look.pieces in SETS)) look.pieces = FIRST.pieces;
  show();
  showPieces();
}

/** Changes and stores a part of the choice: {colours}, {pieces}, {coordinates} or {animation}. */
export function changeLook(change) {
  look = { ...look, ...change };
  store();
  show();
  if (change.pieces) showPieces();
}
