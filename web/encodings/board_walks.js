/* SPDX-License-Identifier: MIT */
// The classic board representations (doc/reference/boards.md): how each numbers the squares, and which squares the move generator
// of each visits for a piece, in order. The files of src/boards do the same in C. Squares are 0 (a1) to 63 (h8); moves are
// pseudo-legal and without castling.

import { squares } from '../base/rules.js';

const N = [1, 0], S = [-1, 0], E = [0, 1], W = [0, -1], NE = [1, 1], NW = [1, -1], SE = [-1, 1], SW = [-1, -1];
// The jumps of a knight in pairs from north to south, and clockwise.
const PAIRS = [[2, 1], [2, -1], [1, 2], [1, -2], [-1, 2], [-1, -2], [-2, 1], [-2, -1]];
const CLOCKWISE = [[2, 1], [1, 2], [-1, 2], [-2, 1], [-2, -1], [-1, -2], [1, -2], [2, -1]];

const hex = (digits) => (n) => n.toString(16).toUpperCase().padStart(digits, '0');
const isOnBoard = (rank, file) => rank >= 0 && rank < 8 && file >= 0 && file < 8;
const inRows = (width, height) => Array.from({ length: height }, (_, row) => Array.from({ length: width }, (__, column) => width * (height - 1 - row) + column));
const none = () => null; // outside, no element of the array is visited
const withoutEdge = { width: 8, height: 8, index: (rank, file) => 8 * rank + file, square: (index) => index, show: String, outside: none };

// index(rank, file): the element of the array; square(index): its square, or null; outside(rank, file): the element that is
// visited beyond the edge, or null; edge: what is found there. Steps are (ranks, files).
const BOARDS = {
  'mailbox-10x12': { width: 10, height: 12, index: (rank, file) => 21 + 10 * rank + file, square: (i) => (i > 20 && i < 99 && i % 10 > 0 && i % 10 < 9 ? 8 * (Math.floor(i / 10) - 2) + (i % 10) - 1 : null),
    show: String, outside: (rank, file) => 21 + 10 * rank + file, edge: 'guard', straight: [N, E, S, W], diagonal: [NE, SE, SW, NW], jumps: CLOCKWISE, captures: [W, E] },
  'mailbox-12x12': { width: 12, height: 12, index: (rank, file) => 26 + 12 * rank + file, square: (i) => (i > 23 && i < 120 && i % 12 > 1 && i % 12 < 10 ? 8 * (Math.floor(i / 12) - 2) + (i % 12) - 2 : null),
    show: String, outside: (rank, file) => 26 + 12 * rank + file, edge: 'guard', straight: [N, E, S, W], diagonal: [NE, NW, SE, SW], jumps: PAIRS, captures: [W, E] },
  'array-8x8': { ...withoutEdge, edge: 'off the board', straight: [N, S, E, W], diagonal: [NE, NW, SE, SW], jumps: PAIRS, captures: [W, E] },
  'array-16x16': { width: 16, height: 16, index: (rank, file) => 16 * rank + file, square: (i) => (i & 0x88 ? null : (i + (i & 7)) >> 1), show: hex(2),
    outside: (rank, file) => (16 * rank + file) & 255, edge: 'guard', straight: [N, E, S, W], diagonal: [NE, NW, SE, SW], jumps: PAIRS, captures: [W, E] },
  x88: { width: 16, height: 8, index: (rank, file) => 16 * rank + file, square: (i) => (i & 0x88 ? null : (i + (i & 7)) >> 1), show: hex(2),
    outside: (rank, file) => (16 * rank + file) & 255, edge: '& 88 is not 0', straight: [N, E, S, W], diagonal: [NE, SE, SW, NW], jumps: PAIRS, captures: [W, E] },
  'nibble-rows': { ...withoutEdge, edge: null, straight: [N, E, S, W], diagonal: [NE, SE, SW, NW], jumps: CLOCKWISE, captures: [W, E] },
  'piece-list': { ...withoutEdge, edge: null, straight: [N, E, S, W], diagonal: [NE, SE, SW, NW], jumps: CLOCKWISE, captures: [E, W] },
  bitboard: { ...withoutEdge, edge: null, straight: [N, E, S, W], diagonal: [NE, SE, SW, NW], jumps: CLOCKWISE, captures: [W, E], isSet: true },
};

export const BOARD_NAMES = Object.keys(BOARDS);

/** Formats a step as the generator adds it: a difference of indexes, or ranks and files. */
export function stepText(name, [ranks, files]) {
  const { width, show } = BOARDS[name];
  const difference = width * ranks + files;
  if (width === 8) return `${ranks}, ${files}`.replace(/-/g, '−');
  return (difference < 0 ? '−' : '+') + (width === 16 ? Math.abs(difference).toString(16).toUpperCase().padStart(2, '0') : show(Math.abs(difference)));
}

/** Returns the rows of a representation from the top: for each element its index, its text, and its square or null. */
export function boardRows(name) {
  const board = BOARDS[name];
  return inRows(board.width, board.height).map((row) => row.map((index) => ({ index, text: board.show(index), square: board.square(index) })));
}

/** Returns a position as {pieces, side, enPassant}: 64 letters or '' from a1; 'w' or 'b'; a square or -1. */
export function positionOf(fen) {
  const letters = squares(fen);
  const fields = fen.split(' ');
  const target = /^[a-h][36]$/.test(fields[3] ?? '') ? 'abcdefgh'.indexOf(fields[3][0]) + 8 * (Number(fields[3][1]) - 1) : -1;
  return { pieces: Array.from({ length: 64 }, (_, i) => letters[8 * (7 - (i >> 3)) + (i & 7)]), side: fields[1] === 'b' ? 'b' : 'w', enPassant: target };
}

export const colourOf = (letter) => (letter === letter.toUpperCase() ? 'w' : 'b');
export const nameOf = (square) => 'abcdefgh'[square & 7] + ((square >> 3) + 1);

function look(board, position, colour, [rank, file]) {
  if (!isOnBoard(rank, file)) {
    const index = board.outside(rank, file);
    return { index, text: index === null ? '' : board.show(index), square: null, found: board.edge };
  }
  const index = board.index(rank, file);
  const square = 8 * rank + file;
  const letter = position.pieces[square];
  return { index, text: board.show(index), square, found: letter === '' ? 'empty' : colourOf(letter) === colour ? 'own piece' : 'enemy' };
}

/** Visits squares along a step until something is found. A representation without an edge does not look beyond it. */
function visitRay(board, position, from, colour, step, reach, visits) {
  for (let distance = 1; distance <= reach; distance += 1) {
    const one = look(board, position, colour, [(from >> 3) + distance * step[0], (from & 7) + distance * step[1]]);
    if (one.found === null) return;
    visits.push({ ...one, step, goes: one.found === 'empty' || one.found === 'enemy' });
    if (one.found !== 'empty') return;
  }
}

function visitPawn(board, position, from, colour, visits) {
  const forward = colour === 'w' ? 1 : -1;
  const at = (ranks, files) => ({ ...look(board, position, colour, [(from >> 3) + ranks * forward, (from & 7) + files]), step: [ranks * forward, files] });
  const ahead = at(1, 0);
  if (ahead.found !== null) visits.push({ ...ahead, goes: ahead.found === 'empty' });
  if (ahead.found === 'empty' && (from >> 3) === (colour === 'w' ? 1 : 6)) {
    const twice = at(2, 0);
    visits.push({ ...twice, goes: twice.found === 'empty' });
  }
  for (const [, files] of board.captures) {
    const beside = at(1, files);
    const passing = beside.square !== null && beside.square === position.enPassant && colour === position.side;
    if (beside.found !== null) visits.push({ ...beside, found: passing ? 'en passant' : beside.found, goes: passing || beside.found === 'enemy' });
  }
}

const stepsOf = (board, kind) => ({ n: board.jumps, b: board.diagonal, r: board.straight, q: [...board.straight, ...board.diagonal], k: [...board.straight, ...board.diagonal] })[kind];

/** Returns what the generator of a representation visits for the piece on a square, in order: {index, text, square, found,
 * step, goes}. `index` is the element and `text` how it is written; both are without value for squares that have no element.
 * `square` is null outside of the board; `goes` says whether the piece can move there. Bitboards have no order: the
 * squares of the set are in the order of their bits. */
export function walk(name, position, from) {
  const board = BOARDS[name];
  const letter = position.pieces[from];
  if (letter === '') return [];
  const visits = [];
  const kind = letter.toLowerCase();
  if (kind === 'p') visitPawn(board, position, from, colourOf(letter), visits);
  else for (const step of stepsOf(board, kind)) visitRay(board, position, from, colourOf(letter), step, /[nk]/.test(kind) ? 1 : 7, visits);
  return board.isSet ? visits.filter((one) => one.goes).sort((a, b) => a.square - b.square) : visits;
}

// ---- what the representations store ----

const bit = (square) => 1n << BigInt(square);
const setOf = (chosen) => chosen.reduce((set, square) => set | bit(square), 0n);

/** Formats a set of squares as the library's 64-bit word. */
export const wordOf = (set) => `0x${set.toString(16).toUpperCase().padStart(16, '0')}`;

const where = (position, fits) => setOf(position.pieces.flatMap((letter, square) => (letter !== '' && fits(letter) ? [square] : [])));

/** Returns the words of a bitboard as [name, set]. */
export function bitboardWords(position) {
  const types = [['pawns', 'p'], ['knights', 'n'], ['bishops', 'b'], ['rooks', 'r'], ['queens', 'q'], ['kings', 'k']];
  return [['White', where(position, (letter) => colourOf(letter) === 'w')], ['Black', where(position, (letter) => colourOf(letter) === 'b')],
    ...types.map(([name, kind]) => [name, where(position, (letter) => letter.toLowerCase() === kind)])];
}

/** Returns the set of squares that a piece attacks, also those with own pieces. */
export function attackSet(position, from) {
  const letter = position.pieces[from];
  if (letter.toLowerCase() === 'p') {
    const rank = (from >> 3) + (letter === 'P' ? 1 : -1);
    return setOf([-1, 1].map((files) => [rank, (from & 7) + files]).filter((one) => isOnBoard(...one)).map(([r, file]) => 8 * r + file));
  }
  return setOf(walk('nibble-rows', position, from).map((one) => one.square));
}

/** Returns the squares of the rooks that may castle, from the third field of a FEN. */
function castlingRooks(fen, position) {
  return [...(fen.split(' ')[2] ?? '')].flatMap((letter) => {
    const [first, rook] = /[A-Z]/.test(letter) ? [0, 'R'] : [56, 'r'];
    const rank = position.pieces.slice(first, first + 8);
    const king = rank.indexOf(rook === 'R' ? 'K' : 'k');
    const file = { k: rank.lastIndexOf(rook), q: rank.indexOf(rook) }[letter.toLowerCase()] ?? 'abcdefgh'.indexOf(letter.toLowerCase());
    return king >= 0 && rank[file] === rook ? [first + file] : [];
  });
}

/** Returns the nine words of nibble-rows: the rows from the first rank, and the state. */
export function nibbleWords(fen) {
  const position = positionOf(fen);
  const rooks = castlingRooks(fen, position);
  const pushed = position.enPassant < 0 ? -1 : position.enPassant + (position.side === 'w' ? -8 : 8);
  const nibble = (letter, square) => {
    if (letter === '') return 0;
    if (square === pushed) return 8;
    return (rooks.includes(square) ? 7 : '.pnbrqk'.indexOf(letter.toLowerCase())) + (colourOf(letter) === 'b' ? 8 : 0);
  };
  const rows = Array.from({ length: 8 }, (_, rank) => position.pieces.slice(8 * rank, 8 * rank + 8).map((letter, file) => hex(1)(nibble(letter, 8 * rank + file))).reverse().join(''));
  const [clock, turn] = [Number(fen.split(' ')[4]) || 0, Number(fen.split(' ')[5]) || 1];
  return [...rows, hex(8)((turn & 0xFFFF) * 65536 + (position.side === 'b' ? 0x8000 : 0) + Math.min(clock, 0x7FFF))];
}

/** Returns the piece list: {number, letter, square} of each piece; the kings are the first of their colours. */
export function pieceList(position) {
  const all = position.pieces.map((letter, square) => ({ letter, square })).filter((one) => one.letter !== '');
  return ['w', 'b'].flatMap((colour) => {
    const own = all.filter((one) => colourOf(one.letter) === colour);
    const king = own.filter((one) => one.letter.toLowerCase() === 'k');
    return [...king, ...own.filter((one) => one.letter.toLowerCase() !== 'k')].map((one, i) => ({ number: i + (colour === 'w' ? 0 : 16), ...one }));
  });
}

/** Returns what an element of an array contains: a signed piece, a guard, a number of the list ... */
export function valueAt(name, position, { square }) {
  const letter = square === null ? null : position.pieces[square];
  const kind = letter === null ? 0 : '.pnbrqk'.indexOf(letter.toLowerCase() || '.');
  const black = letter !== null && letter !== '' && colourOf(letter) === 'b';
  if (/^mailbox/.test(name)) return letter === null ? '99' : String(black ? -kind : kind);
  if (name === 'array-8x8') return String(black ? -kind : kind);
  if (name === 'x88') return String(letter === null ? 0 : kind + (black ? 8 : 0));
  if (name === 'array-16x16') {
    const one = letter ? pieceList(position).find((piece) => piece.square === square) : null;
    return letter === null ? '33' : String(one ? one.number + 1 : 0);
  }
  return '';
}
