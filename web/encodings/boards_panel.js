/* SPDX-License-Identifier: MIT */
// Board representations: the board with the indexes of a representation, and the squares that its move generator visits for
// a piece.

import { announce, el } from '../base/dom.js';
import { pieceNode } from '../base/pieces.js';
import { pieceName } from '../base/rules.js';
import { attackSet, BOARD_NAMES, bitboardWords, boardRows, nameOf, nibbleWords, pieceList, positionOf, stepText, valueAt, walk, wordOf } from './board_walks.js';

const ABOUT = {
  'mailbox-10x12': 'Guard squares (99) surround the board. Each edge file of guards serves both sides: a step is one addition, and the value that is read shows the edge.',
  'mailbox-12x12': 'Two rows of guard squares (99) on every side. A step is one addition, and the value that is read shows the edge.',
  'array-8x8': '64 signed numbers. Nothing in the array shows the edge: each step counts ranks and files before it reads a square.',
  'array-16x16': 'The board is the lower left quarter of 16 x 16 bytes; the rest is guards (33). An index is one byte, and one that overflows arrives on a guard. The array contains numbers of pieces.',
  x88: 'Two boards side by side; only the left one is used. A step off the board sets a bit of 88, so no guards are needed and the square is not read.',
  'nibble-rows': 'Four bits for each square, and a 32-bit word for each rank. Piece and square select a precomputed list of squares: nothing beyond the edge is considered. After a piece, the rest of its ray is skipped.',
  'piece-list': 'The squares of the pieces, and no board. One pass over all pieces finds the nearest in each direction; the squares up to it are computed.',
  bitboard: 'One 64-bit word for each colour and type. The attacks are a set, looked up by the occupied squares; own pieces are masked out. The squares have no order but that of their bits.',
};

/** Shows one element of the array. */
function cell(one, state, visits, order) {
  const letter = one.square === null ? '' : state.position.pieces[one.square];
  const classes = ['cell', one.square === null ? 'beyond' : ((one.square >> 3) + one.square) % 2 ? 'light' : 'dark', one.square !== null && one.square === state.square && 'from',
    visits.length > 0 && (visits.some((visit) => visit.goes) ? 'goes' : 'stops')].filter(Boolean).join(' ');
  const visited = visits.length > 0 ? `, visited as ${order}: ${visits.map((visit) => visit.found).join(', ')}` : '';
  const value = valueAt(state.board, state.position, one);
  const label = `${one.square === null ? 'guard' : nameOf(one.square)}${letter && `, ${pieceName(letter)}`}, index ${one.text}${value && `, value ${value}`}${visited}`;
  // Index, order and value are shown by the style sheet: the label has them as words.
  const attributes = { role: 'gridcell', class: classes, 'aria-label': label, title: label, 'data-index': one.text, 'data-order': order || null,
    'data-guard': one.square === null && /^mailbox/.test(state.board) && !order ? value : null };
  if (!letter) return el('span', attributes);
  return el('button', { ...attributes, type: 'button', 'data-square': nameOf(one.square), tabindex: one.square === state.focus ? '0' : '-1',
    'aria-selected': one.square === state.square ? 'true' : 'false' }, pieceNode(letter));
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);
const key = (visit) => (visit.index === null ? 'none' : visit.index);

function grid(state, visits, choose) {
  const rows = boardRows(state.board);
  const at = new Map();
  visits.forEach((visit, i) => at.set(key(visit), [...(at.get(key(visit)) ?? []), { ...visit, number: i + 1 }]));
  const box = el('div', { class: `cells ${state.board}`, role: 'grid', 'aria-label': `Board as ${state.board}` }, ...rows.map((row) => el('div', { role: 'row' }, ...row.map((one) => {
    const here = at.get(one.index) ?? [];
    return cell(one, state, here, here.map((visit) => visit.number).join(' '));
  }))));
  const pieces = [...box.querySelectorAll('button')];
  box.addEventListener('click', (event) => { const button = event.target.closest('button'); if (button) choose(button.dataset.square); });
  box.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const from = pieces.indexOf(event.target);
    if (!step || from < 0) return;
    event.preventDefault();
    const to = pieces[(from + step + pieces.length) % pieces.length];
    pieces[from].tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
  });
  return el('div', { class: 'cells-box' }, box);
}

/** Lists the visits in order. */
function visitList(visits, state) {
  const where = (visit) => [visit.square === null ? '' : nameOf(visit.square), visit.text && el('code', {}, visit.text)].filter(Boolean).flatMap((one, i) => (i > 0 ? [' ', one] : [one]));
  return el('ol', { class: 'visits' }, ...visits.map((visit) => el('li', { class: visit.goes ? 'goes' : 'stops' },
    state.board !== 'bitboard' && el('span', { class: 'step' }, el('code', {}, stepText(state.board, visit.step))), ...where(visit), `${visit.index === null ? '' : ': '}${visit.found}`)));
}

function pairs(title, rows) {
  return el('table', { class: 'words' }, el('caption', {}, title), el('tbody', {}, ...rows.map(([name, value]) => el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, el('code', {}, value))))));
}

/** Shows what a representation stores beside, or instead of, an array. */
function stored(state) {
  if (state.board === 'bitboard') {
    const attacks = state.square === null ? [] : [['attacks', wordOf(attackSet(state.position, state.square))]];
    return pairs('Words', [...bitboardWords(state.position).map(([name, set]) => [name, wordOf(set)]), ...attacks]);
  }
  if (state.board === 'nibble-rows') return pairs('Words', nibbleWords(state.fen).map((word, i) => [i < 8 ? `row[${i}]` : 'state', word]).reverse());
  if (state.board === 'piece-list') return pairs('Pieces', pieceList(state.position).map(({ number, letter, square }) => [`${number}: ${pieceName(letter)}`, `${nameOf(square)} = ${square}`]));
  return null;
}

function heading(visits, state) {
  if (state.square === null) return el('p', { class: 'hint' }, 'Choose a piece on this board: click it, or use the arrow keys and Enter.');
  const goes = visits.filter((visit) => visit.goes).length;
  const letter = state.position.pieces[state.square];
  return el('p', { class: 'walked' }, el('strong', {}, `${capital(pieceName(letter))} on ${nameOf(state.square)}`),
    `: ${visits.length} ${visits.length === 1 ? 'square is' : 'squares are'} visited, ${goes} ${goes === 1 ? 'is a move' : 'are moves'}, ignoring checks and castling.`);
}

/** Creates the panel. options: fen; board and square (a name such as e2) that are chosen; choose({board, square}). */
export function boardsPanel({ fen, board, square, choose }) {
  const position = positionOf(fen);
  const wanted = /^[a-h][1-8]$/.test(square ?? '') ? 'abcdefgh'.indexOf(square[0]) + 8 * (Number(square[1]) - 1) : -1;
  const chosen = position.pieces[wanted] ? wanted : null;
  const own = (letter) => letter !== '' && (letter === letter.toUpperCase()) === (position.side === 'w');
  const state = { fen, position, board: BOARD_NAMES.includes(board) ? board : BOARD_NAMES[0], square: chosen, focus: chosen ?? Math.max(position.pieces.findIndex(own), 0) };
  const visits = chosen === null ? [] : walk(state.board, position, chosen);
  const select = el('select', { onchange: (event) => choose({ board: event.target.value, square }) }, ...BOARD_NAMES.map((name) => el('option', { value: name, selected: name === state.board }, name)));
  const pick = (name) => { choose({ board: state.board, square: name }); announce(`${name}: ${walk(state.board, position, 'abcdefgh'.indexOf(name[0]) + 8 * (Number(name[1]) - 1)).length} squares are visited`); };
  return [el('label', { class: 'field board-choice' }, el('span', {}, 'Representation'), select), el('p', { class: 'board-about' }, ABOUT[state.board]),
    grid(state, visits, pick), heading(visits, state), visits.length > 0 && visitList(visits, state), stored(state)].filter(Boolean);
}
