/* SPDX-License-Identifier: MIT */
// Positions and legal moves, also of Chess960. Squares are numbered from a8 = 0 to h1 = 63, as in a FEN. A position is
// {squares, white, rooks, target, half, full}: letters of pieces, or ''; whether White is to move; the squares of the
// rooks that may castle; the en passant square, or -1; the counters of the FEN. Positions are never changed.
//
// A move is {from, to, promotion, rook}: `promotion` is a letter such as 'q', or ''; `rook` is the square of the rook
// that castles, otherwise -1. `to` is then the square of the king after castling.

const KING = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
const KNIGHT = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const STEPS = { k: KING, q: KING, n: KNIGHT, r: KING.filter(([x, y]) => x * y === 0), b: KING.filter(([x, y]) => x * y !== 0) };
const SLIDERS = 'qrb';
const PROMOTIONS = ['q', 'r', 'b', 'n'];

const fileOf = (square) => square % 8;
const rowOf = (square) => square >> 3;
const isWhite = (letter) => letter !== '' && letter < 'a';
const isOf = (letter, white) => letter !== '' && isWhite(letter) === white;
const kind = (letter) => letter.toLowerCase();
const letterOf = (type, white) => (white ? type.toUpperCase() : type);
const homeRow = (white) => (white ? 7 : 0);

/** Returns the square that a step leads to; -1 outside of the board. */
function stepped(square, [x, y]) {
  const [file, row] = [fileOf(square) + x, rowOf(square) + y];
  return file < 0 || file > 7 || row < 0 || row > 7 ? -1 : 8 * row + file;
}

// ---- attacks ----

/** Returns the first piece from a square in a direction; '' if there is none. */
function firstPiece(squares, from, direction) {
  for (let to = stepped(from, direction); to >= 0; to = stepped(to, direction)) if (squares[to] !== '') return squares[to];
  return '';
}

/** Returns whether a side attacks a square. */
function isAttacked(squares, square, white) {
  const near = (steps, type) => steps.some((step) => { const at = stepped(square, step); return at >= 0 && squares[at] === letterOf(type, white); });
  const far = (type) => STEPS[type].some((step) => { const letter = firstPiece(squares, square, step); return letter === letterOf(type, white) || letter === letterOf('q', white); });
  const back = white ? 1 : -1; // from the square to a pawn that attacks it
  return near(KNIGHT, 'n') || near(KING, 'k') || near([[1, back], [-1, back]], 'p') || far('r') || far('b');
}

const kingOf = (squares, white) => squares.indexOf(letterOf('k', white));

/** Returns whether the side to move is in check. */
export const isCheck = ({ squares, white }) => isAttacked(squares, kingOf(squares, white), !white);

// ---- moves ----

/** Returns the squares of a position after a move. */
function squaresAfter(position, { from, to, promotion, rook }) {
  const squares = [...position.squares];
  const letter = squares[from];
  squares[from] = '';
  if (rook >= 0) {
    squares[rook] = '';
    squares[to] = letter;
    squares[fileOf(to) === 6 ? to - 1 : to + 1] = letterOf('r', position.white);
    return squares;
  }
  if (to === position.target && kind(letter) === 'p') squares[8 * rowOf(from) + fileOf(to)] = '';
  squares[to] = promotion ? letterOf(promotion, position.white) : letter;
  return squares;
}

/** Returns the position after a legal move. */
export function afterMove(position, move) {
  const { squares, white, rooks, half, full } = position;
  const pawn = kind(squares[move.from]) === 'p';
  const quiet = !pawn && (squares[move.to] === '' || move.rook >= 0);
  const own = (rook) => rowOf(rook) === homeRow(white);
  return {
    squares: squaresAfter(position, move), white: !white,
    rooks: rooks.filter((rook) => rook !== move.from && rook !== move.to && !(kind(squares[move.from]) === 'k' && own(rook))),
    target: pawn && Math.abs(move.to - move.from) === 16 ? (move.from + move.to) / 2 : -1,
    half: quiet ? half + 1 : 0, full: full + (white ? 0 : 1),
  };
}

/** Returns the position after the side to move passes. */
export const afterPass = (position) => ({ ...position, white: !position.white, target: -1, half: position.half + 1, full: position.full + (position.white ? 0 : 1) });

function* pieceMoves({ squares, white }, from, type) {
  for (const step of STEPS[type]) {
    for (let to = stepped(from, step); to >= 0 && !isOf(squares[to], white); to = stepped(to, step)) {
      yield { from, to, promotion: '', rook: -1 };
      if (squares[to] !== '' || !SLIDERS.includes(type)) break;
    }
  }
}

function* pawnTargets({ squares, white, target }, from) {
  const ahead = white ? -1 : 1;
  const one = stepped(from, [0, ahead]);
  if (one >= 0 && squares[one] === '') {
    yield one;
    const two = one + 8 * ahead;
    if (rowOf(from) === (white ? 6 : 1) && squares[two] === '') yield two;
  }
  for (const side of [-1, 1]) {
    const to = stepped(from, [side, ahead]);
    if (to >= 0 && (isOf(squares[to], !white) || to === target)) yield to;
  }
}

function* pawnMoves(position, from) {
  for (const to of pawnTargets(position, from)) {
    const last = rowOf(to) === homeRow(!position.white);
    for (const promotion of last ? PROMOTIONS : ['']) yield { from, to, promotion, rook: -1 };
  }
}

/** Returns the squares between two squares of a rank, with both. */
const between = (a, b) => Array.from({ length: Math.abs(a - b) + 1 }, (_, i) => Math.min(a, b) + i);

function* castlings({ squares, white, rooks }) {
  const king = kingOf(squares, white);
  for (const rook of rooks) {
    if (rowOf(rook) !== homeRow(white)) continue;
    const to = 8 * homeRow(white) + (rook > king ? 6 : 2);
    const beside = rook > king ? to - 1 : to + 1;
    const free = squares.map((letter, square) => (square === king || square === rook ? '' : letter));
    const passed = between(king, to);
    if ([...passed, ...between(rook, beside)].every((square) => free[square] === '') && passed.every((square) => !isAttacked(free, square, !white)))
      yield { from: king, to, promotion: '', rook };
  }
}

function* allMoves(position) {
  for (let from = 0; from < 64; from += 1) {
    const letter = position.squares[from];
    if (!isOf(letter, position.white)) continue;
    if (kind(letter) === 'p') yield* pawnMoves(position, from);
    else yield* pieceMoves(position, from, kind(letter));
  }
  yield* castlings(position);
}

/** Returns the legal moves for which filter(move) is true. The filter is called before legality is checked. */
export function movesOf(position, filter = () => true) {
  return [...allMoves(position)].filter((move) => {
    if (!filter(move)) return false;
    const squares = squaresAfter(position, move);
    return !isAttacked(squares, kingOf(squares, position.white), !position.white);
  });
}

/** Returns whether the side to move has a legal move. */
export function hasMoves(position) {
  for (const move of allMoves(position)) {
    const squares = squaresAfter(position, move);
    if (!isAttacked(squares, kingOf(squares, position.white), !position.white)) return true;
  }
  return false;
}

// ---- FEN ----

/** Returns the rooks that may castle on one side of a king, the outermost first. */
function rooksBeside(squares, white, right) {
  const [king, row] = [kingOf(squares, white), homeRow(white)];
  if (rowOf(king) !== row) return [];
  const order = right ? between(king, 8 * row + 7).reverse() : between(8 * row, king);
  return order.filter((square) => squares[square] === letterOf('r', white));
}

/** Returns the square of the rook that a letter of castling rights means: K, Q, or its file; undefined if there is none. */
function rookOf(squares, letter) {
  const white = isWhite(letter);
  if ('kq'.includes(kind(letter))) return rooksBeside(squares, white, kind(letter) === 'k')[0];
  const square = 8 * homeRow(white) + 'abcdefgh'.indexOf(kind(letter));
  return [...rooksBeside(squares, white, true), ...rooksBeside(squares, white, false)].find((rook) => rook === square);
}

/** Returns the en passant square of a FEN if a pawn has just passed it; otherwise -1. */
function targetOf(squares, white, text) {
  const square = 'abcdefgh'.indexOf(text[0]) + 8 * (8 - Number(text[1]));
  if (text === '-' || rowOf(square) !== (white ? 2 : 5) || squares[square] !== '') return -1;
  return squares[square + (white ? 8 : -8)] === letterOf('p', !white) ? square : -1;
}

const isPlayable = (squares) => squares.length === 64 && ['K', 'k'].every((king) => squares.filter((letter) => letter === king).length === 1)
  && squares.every((letter, square) => kind(letter) !== 'p' || (rowOf(square) > 0 && rowOf(square) < 7));

/** Reads a FEN, of which fields at the end may be missing. Returns null unless each side has one king and all pawns are
 * where pawns can be. */
export function readPosition(fen) {
  const [placement, side = 'w', rights = '-', target = '-', half = '0', full = '1'] = fen.trim().split(/\s+/);
  const squares = [...placement.replace(/\d/g, (n) => '.'.repeat(Number(n))).replace(/\//g, '')].map((letter) => (letter === '.' ? '' : letter));
  if (!/^[KQRBNPkqrbnp1-8/]+$/.test(placement) || !isPlayable(squares)) return null;
  const white = side !== 'b';
  const rooks = [...rights].map((letter) => (/[a-hkq]/i.test(letter) ? rookOf(squares, letter) : undefined)).filter((rook) => rook !== undefined);
  return { squares, white, rooks: [...new Set(rooks)], target: targetOf(squares, white, target), half: Number(half) || 0, full: Number(full) || 1 };
}

/** Returns the letters of castling rights: K and Q for the outermost rooks, and otherwise the files of rooks. */
function rightsOf({ squares, rooks }) {
  const letter = (rook) => {
    const white = rowOf(rook) === 7;
    const right = rook > kingOf(squares, white);
    return letterOf(rooksBeside(squares, white, right)[0] === rook ? (right ? 'k' : 'q') : 'abcdefgh'[fileOf(rook)], white);
  };
  return [...rooks].sort((a, b) => rowOf(b) - rowOf(a) || fileOf(b) - fileOf(a)).map(letter).join('') || '-';
}

const nameOf = (square) => 'abcdefgh'[fileOf(square)] + (8 - rowOf(square));

/** Writes the FEN of a position. The en passant square is there after each double step of a pawn. */
export function writePosition(position) {
  const rows = Array.from({ length: 8 }, (_, row) => position.squares.slice(8 * row, 8 * row + 8).map((letter) => letter || '1').join('').replace(/1+/g, (ones) => ones.length));
  return [rows.join('/'), position.white ? 'w' : 'b', rightsOf(position), position.target >= 0 ? nameOf(position.target) : '-', position.half, position.full].join(' ');
}
