/* SPDX-License-Identifier: MIT */
// A board to set up a position to search for: a grid of squares and a palette, usable with a pointer or only with keys.

import { createCarry } from './carry.js';
import { announce, el, svg } from '../base/dom.js';
import { pieceNode } from '../base/pieces.js';
import { ANYTHING, fromSubFen, toSubFen } from '../base/pattern.js';
import { pawnSquares } from './structures.js';
import { INITIAL, isPlacement, pieceName, squareName, squares as squaresOf } from '../base/rules.js';

const KINDS = { '': 'anything', '.': 'empty', A: 'any white piece', a: 'any black piece', '?': 'any piece', x: 'no pawn' };
const SIGNS = { A: 'W', a: 'B', '?': '?', x: '×' };

// What a board sets up: the rows of its palette, a cleared square, the label, and the reading of a text.
const MODES = {
  part: { rows: [[...'KQRBNPA'], [...'kqrbnpa'], ['.', '?', '']], nothing: '', label: 'Position to look for', className: 'setup', read: fromSubFen },
  complete: { rows: [[...'KQRBNP'], [...'kqrbnp'], ['.']], nothing: '.', label: 'Position', className: 'setup complete', read: fromSubFen },
  pawns: { rows: [['P', 'p', 'x', '']], nothing: '', label: 'Pawns to look for', className: 'setup pawns', read: (text) => pawnSquares(text) ?? [...ANYTHING] },
};

export const kindName = (kind) => KINDS[kind] ?? pieceName(kind);

function picture(kind) {
  if (kind === '') return [];
  if (kind === '.') return [svg('svg', { viewBox: '0 0 40 40', 'aria-hidden': 'true' }, svg('path', { class: 'nothing', d: 'M16.5 16.5l7 7m0-7l-7 7' }))];
  if (SIGNS[kind]) return [el('span', { class: 'sign', 'aria-hidden': 'true' }, SIGNS[kind])];
  return [pieceNode(kind)];
}

function palette(choose, { rows }) {
  const group = (kinds) => el('div', { class: 'palette-row', role: 'none' }, ...kinds.map((kind) => el('button', {
    type: 'button', role: 'radio', tabindex: '-1', 'aria-checked': 'false', 'data-kind': kind, 'aria-label': kindName(kind), title: kindName(kind), class: 'tile', onclick: () => choose(kind) },
  ...(kind === '' ? [el('span', { class: 'sign', 'aria-hidden': 'true' }, '⌫')] : picture(kind)))));
  const box = el('div', { class: 'palette', role: 'radiogroup', 'aria-label': 'What to set up' }, ...rows.map(group));
  box.addEventListener('keydown', (event) => { // one Tab stop, as for radio buttons
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const tiles = [...box.querySelectorAll('.tile')];
    if (!step) return;
    const next = tiles[(tiles.indexOf(event.target) + step + tiles.length) % tiles.length];
    next.focus();
    choose(next.dataset.kind);
    event.preventDefault();
  });
  return box;
}

/** Creates a field that accepts a FEN when it is pasted, or typed and confirmed. use(fen) is called with it. */
function fenField(use) {
  const input = el('input', { type: 'text', 'aria-label': 'FEN to set up', placeholder: 'Paste a FEN', autocomplete: 'off', spellcheck: 'false' });
  const accept = () => {
    const fen = input.value.trim();
    const wrong = fen !== '' && !isPlacement(fen);
    input.setCustomValidity(wrong ? 'This is not a FEN. A FEN begins with eight ranks of pieces and numbers, separated by /.' : '');
    if (wrong) input.reportValidity();
    if (wrong || !fen) return;
    input.value = '';
    use(fen);
  };
  input.addEventListener('change', accept);
  input.addEventListener('paste', () => setTimeout(accept));
  input.addEventListener('input', () => input.setCustomValidity(''));
  return el('div', { class: 'setup-fen' }, input);
}

/** Returns {element, set(text), get()}. get() returns '' if every square is "anything". onChange is called after each
 * change, and onTurn(side) with the side to move of a FEN, 'w' or 'b'. mode: 'part'; 'complete', each square has a certain
 * piece or is empty; or 'pawns' (structures.js). */
export function createSetup(onChange, onTurn, mode = 'part') {
  const { rows: kinds, nothing, label, className, read } = MODES[mode];
  const pawns = mode === 'pawns';
  let squares = ANYTHING.map(() => nothing);
  let chosen = 'P';
  let painting = null;

  const cells = ANYTHING.map((_, i) => el('button', { type: 'button', role: 'gridcell', tabindex: i === 0 ? '0' : '-1', 'data-square': squareName(i),
    'data-rank': i % 8 === 0 && squareName(i)[1], 'data-file': i > 55 && squareName(i)[0], class: (i + Math.floor(i / 8)) % 2 ? 'square dark' : 'square light' }));
  const rows = Array.from({ length: 8 }, (_, rank) => el('div', { role: 'row' }, ...cells.slice(8 * rank, 8 * rank + 8)));
  const grid = el('div', { class: className, role: 'grid', 'aria-label': label }, ...rows);
  const tools = palette(choose, MODES[mode]);

  function draw(i) {
    cells[i].replaceChildren(...picture(squares[i]));
    cells[i].setAttribute('aria-label', `${squareName(i)}, ${kindName(squares[i])}`);
  }
  function put(i, kind) {
    if (squares[i] === kind || (pawns && (i < 8 || i > 55))) return; // no pawns on the first and the last rank
    squares[i] = kind;
    draw(i);
    announce(`${squareName(i)}: ${kindName(kind)}`);
  }
  function choose(kind) {
    chosen = kind;
    for (const tile of tools.querySelectorAll('.tile')) {
      tile.setAttribute('aria-checked', String(tile.dataset.kind === kind));
      tile.tabIndex = tile.dataset.kind === kind ? 0 : -1;
    }
  }
  function fill(next) {
    squares = next;
    cells.forEach((_, i) => draw(i));
  }
  const all = (next) => { fill(next); onChange(); };

  // Choosing the same piece again removes it.
  function begin(i) {
    painting = squares[i] === chosen ? nothing : chosen;
    put(i, painting);
  }
  // A carried piece leaves its square empty, or open if other squares of the position are open.
  const carry = createCarry(cells, (from, to) => {
    if (to === from) begin(from);
    else {
      const piece = squares[from];
      put(from, squares.includes('') ? '' : '.');
      if (to >= 0) put(to, piece);
    }
    painting = null;
    onChange();
  });
  grid.addEventListener('pointerdown', (event) => {
    const i = cells.indexOf(event.target.closest('.square'));
    if (i < 0 || event.button !== 0) return;
    event.target.releasePointerCapture?.(event.pointerId);
    const free = (kind) => kind === '' || kind === '.';
    if (free(squares[i]) || free(chosen)) begin(i);
    else carry(event, i);
  });
  grid.addEventListener('pointerover', (event) => { const i = cells.indexOf(event.target.closest('.square')); if (painting !== null && i >= 0) put(i, painting); });
  for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, () => { if (painting !== null) { painting = null; onChange(); } });
  grid.addEventListener('keydown', (event) => {
    const i = cells.indexOf(event.target);
    const to = { ArrowLeft: i - (i % 8 ? 1 : 0), ArrowRight: i + (i % 8 < 7 ? 1 : 0), ArrowUp: i - (i > 7 ? 8 : 0), ArrowDown: i + (i < 56 ? 8 : 0) }[event.key];
    if (to !== undefined) {
      cells[i].tabIndex = -1;
      cells[to].tabIndex = 0;
      cells[to].focus();
    } else if (event.key === 'Enter' || event.key === ' ') { begin(i); painting = null; onChange(); }
    else if (event.key === 'Delete' || event.key === 'Backspace') { put(i, nothing); onChange(); }
    else if (kinds.flat().includes(event.key) && !event.ctrlKey && !event.metaKey) { put(i, event.key); onChange(); }
    else return;
    event.preventDefault();
  });

  const button = (label, next) => el('button', { type: 'button', class: 'quiet', onclick: () => all(next()) }, label);
  const field = fenField((fen) => {
    all(squaresOf(fen).map((square) => (pawns ? square.replace(/[^Pp]/, '') : square || '.')));
    onTurn(fen.split(/\s+/)[1] === 'b' ? 'b' : 'w');
    announce('The position of the FEN is set up');
  });
  const clear = button('Clear', () => ANYTHING.map(() => nothing));
  const rest = mode === 'part' && [button('Rest empty', () => squares.map((square) => square || '.')), button('Rest anything', () => squares.map((square) => (square === '.' ? '' : square)))];
  const initial = !pawns && button('Initial position', () => squaresOf(INITIAL).map((square) => square || '.'));
  const element = el('div', { class: 'setup-box' }, grid, tools, field, el('div', { class: 'setup-buttons' }, initial, clear, rest));
  choose(chosen);
  fill(squares);
  return {
    element,
    set: (text) => fill(read(text)),
    get: () => (squares.every((square) => square === '') ? '' : toSubFen(squares)),
  };
}
