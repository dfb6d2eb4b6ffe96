/* SPDX-License-Identifier: MIT */
// A small board next to a game or a move that has the pointer or the focus.

import { el } from '../base/dom.js';
import { game as fetchGame } from '../base/api.js';
import { pieceNode } from '../base/pieces.js';
import { squares } from '../base/rules.js';

const PAUSE = 180; // milliseconds before the board appears
const SIZE = 208;
const GAP = 12;
const providers = new Map();
const games = new Map();

let board = null;
let shownFor = null;
let timer = 0;

/** Sets the function that returns the position for elements with a selector: a FEN, a promise of one, or null. */
export const previewFor = (selector, fenOf) => providers.set(selector, fenOf);

/** Returns the position of a game at the ply of its link. In Explore, where that position is on the board, and without a
 * ply, returns the last position. */
async function fenOfGame(row) {
  const id = row.dataset.id;
  if (!games.has(id)) games.set(id, fetchGame(id, {}).catch(() => { games.delete(id); return null; }));
  const game = await games.get(id);
  const [, ply] = row.querySelector('a').getAttribute('href').match(/[?&]ply=(\d+)/) ?? [];
  return game && ((row.closest('.explore') ? null : game.fens[ply]) ?? game.fens.at(-1));
}

function hide() {
  clearTimeout(timer);
  shownFor = null;
  board?.remove();
  board = null;
}

// Places the board to the right of the element, or of the list that must stay readable, or otherwise to its left.
function place(element) {
  const box = (element.closest('.engine-lines') ?? element).getBoundingClientRect();
  const right = box.right + GAP + SIZE <= innerWidth ? box.right + GAP : Math.max(GAP, Math.min(box.left - GAP - SIZE, innerWidth - SIZE - GAP));
  board.style.left = `${right}px`;
  board.style.top = `${Math.max(GAP, Math.min(box.top + box.height / 2 - SIZE / 2, innerHeight - SIZE - GAP))}px`;
}

/** Draws a position. */
function smallBoard(fen, turned) {
  const cells = squares(fen).map((letter, i) => el('span', { class: (i + (i >> 3)) % 2 ? 'black' : 'white' }, letter && pieceNode(letter)));
  return el('div', { class: 'small-board' }, ...(turned ? cells.reverse() : cells));
}

async function show(element, fenOf) {
  const fen = await fenOf(element);
  if (!fen || shownFor !== element || !element.isConnected) return;
  const turned = document.getElementById('board-column').classList.contains('turned');
  board = el('div', { class: 'preview', 'aria-hidden': 'true', 'data-fen': fen }, smallBoard(fen, turned));
  document.body.append(board);
  place(element);
}

function found(target) {
  for (const [selector, fenOf] of providers) {
    const element = target.closest?.(selector);
    if (element) return [element, fenOf];
  }
  return [null, null];
}

function begin(target) {
  const [element, fenOf] = found(target);
  if (element === shownFor) return;
  hide();
  if (!element) return;
  shownFor = element;
  timer = setTimeout(() => show(element, fenOf), PAUSE);
}

/** Begins to show boards. */
export function watchPreviews() {
  previewFor('.games tbody tr[data-id]', fenOfGame);
  document.addEventListener('pointerover', (event) => { if (event.pointerType === 'mouse') begin(event.target); });
  document.addEventListener('focusin', (event) => { if (event.target.matches(':focus-visible')) begin(event.target); else hide(); });
  document.addEventListener('focusout', hide);
  document.addEventListener('keydown', (event) => { if (event.key === 'Escape') hide(); });
  document.addEventListener('scroll', hide, { passive: true, capture: true });
  window.addEventListener('hashchange', hide);
}
