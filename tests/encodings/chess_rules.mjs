/* SPDX-License-Identifier: MIT */
// The rules of chess, including Chess960: positions, legal and pseudo-legal moves, making a move. Written for the second
// implementation of doc/reference/encodings.md: short and slow, without tables of attacks.
//
// Squares are a1 = 0, b1 = 1 ... h8 = 63. A piece is 6 x colour + type; an empty square is -1.

export const PAWN = 0, KNIGHT = 1, BISHOP = 2, ROOK = 3, QUEEN = 4, KING = 5;
export const WHITE = 0, BLACK = 1, EMPTY = -1, NONE = -1;
export const KING_SIDE = 1, QUEEN_SIDE = 2;

export const fileOf = square => square & 7;
export const rankOf = square => square >> 3;
export const squareAt = (file, rank) => rank * 8 + file;
export const typeOf = piece => piece % 6;
export const colourOf = piece => (piece >= 6 ? BLACK : WHITE);

// The order of squares by file and then by rank: a1, a2 ... h8.
export const alongFiles = square => fileOf(square) * 8 + rankOf(square);

// Directions as [files, ranks], clockwise from north; a knight's jumps, clockwise from NNE.
export const DIRECTIONS = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]];
export const JUMPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];

// The square at a distance, or -1 outside the board.
export function offset(square, files, ranks) {
  const file = fileOf(square) + files, rank = rankOf(square) + ranks;
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? -1 : squareAt(file, rank);
}

function rayFrom(square, [files, ranks]) {
  const squares = [];
  for (let at = offset(square, files, ranks); at >= 0; at = offset(at, files, ranks)) squares.push(at);
  return squares;
}

const RAYS = Array.from({ length: 64 }, (_, square) => DIRECTIONS.map(direction => rayFrom(square, direction)));
const KNIGHT_TARGETS = Array.from({ length: 64 }, (_, square) =>
  JUMPS.map(([files, ranks]) => offset(square, files, ranks)).filter(target => target >= 0));
const KING_TARGETS = Array.from({ length: 64 }, (_, square) =>
  DIRECTIONS.map(([files, ranks]) => offset(square, files, ranks)).filter(target => target >= 0));

export const forward = side => (side === WHITE ? 1 : -1);

// The squares that a pawn attacks.
const PAWN_TARGETS = [WHITE, BLACK].map(side => Array.from({ length: 64 }, (_, square) =>
  [-1, 1].map(files => offset(square, files, forward(side))).filter(target => target >= 0)));

function slide(board, square, first, step) {
  const targets = [];
  for (let direction = first; direction < 8; direction += step) {
    for (const target of RAYS[square][direction]) {
      targets.push(target);
      if (board[target] !== EMPTY) break;
    }
  }
  return targets;
}

// The squares that a piece of `type` and `side` attacks from `square`, own pieces included.
export function attacksFrom(board, square, type, side) {
  switch (type) {
    case PAWN: return PAWN_TARGETS[side][square];
    case KNIGHT: return KNIGHT_TARGETS[square];
    case BISHOP: return slide(board, square, 1, 2);
    case ROOK: return slide(board, square, 0, 2);
    case QUEEN: return slide(board, square, 0, 1);
    default: return KING_TARGETS[square];
  }
}

const EMPTY_BOARD = new Int8Array(64).fill(EMPTY);

// The squares that a piece attacks on an empty board, in ascending order.
const ON_EMPTY_BOARD = [KNIGHT, BISHOP, ROOK, QUEEN, KING].map(type => Array.from({ length: 64 }, (_, square) =>
  [...attacksFrom(EMPTY_BOARD, square, type, WHITE)].sort((a, b) => a - b)));
export const attacksOnEmptyBoard = (square, type) => ON_EMPTY_BOARD[type - 1][square];

const SLIDES_ON = [[ROOK, QUEEN], [BISHOP, QUEEN]];    // by the direction's lowest bit: straight, diagonal

// Whether a piece of `by` attacks `square`.
export function isAttacked(board, square, by) {
  const first = 6 * by;
  for (const from of PAWN_TARGETS[1 - by][square]) if (board[from] === first + PAWN) return true;
  for (const from of KNIGHT_TARGETS[square]) if (board[from] === first + KNIGHT) return true;
  for (const from of KING_TARGETS[square]) if (board[from] === first + KING) return true;
  for (let direction = 0; direction < 8; direction++) {
    for (const from of RAYS[square][direction]) {
      if (board[from] === EMPTY) continue;
      if (colourOf(board[from]) === by && SLIDES_ON[direction & 1].includes(typeOf(board[from]))) return true;
      break;
    }
  }
  return false;
}

// A position is { board, side, rooks, passed, clock, number }. `rooks` has for each colour the squares of the rooks that may
// castle, on the king's and on the queen's side, or -1; `passed` is the square that the pawn passed in a double push of the
// last move, or -1.
export const copyOf = position =>
  ({ ...position, board: position.board.slice(), rooks: position.rooks.map(pair => [...pair]) });

export const kingOf = (position, side) => position.board.indexOf(6 * side + KING);
export const inCheck = (position, side = position.side) => isAttacked(position.board, kingOf(position, side), 1 - side);

// The squares of the pieces of `side`, and of one type unless it is undefined, in ascending order.
export function piecesOf(position, side, type) {
  const squares = [];
  for (let square = 0; square < 64; square++) {
    const piece = position.board[square];
    if (piece === EMPTY || colourOf(piece) !== side) continue;
    if (type === undefined || typeOf(piece) === type) squares.push(square);
  }
  return squares;
}

// A move is { from, to, type, taken, promotion, castle, rook, passing, double }. The target of castling is the king's destination
// and `rook` is the origin of the rook; `taken` and `promotion` are types or -1; `passing` marks an en passant capture.
const plainMove = (from, to, type, taken) =>
  ({ from, to, type, taken, promotion: NONE, castle: 0, rook: NONE, passing: false, double: false });
export const NULL_MOVE = Object.freeze({ ...plainMove(0, 0, KING, NONE), isNull: true });

export const lastRank = side => (side === WHITE ? 7 : 0);
export const backRank = side => (side === WHITE ? 0 : 7);
export const isAboutToPromote = (square, side) => rankOf(square) === (side === WHITE ? 6 : 1);

function addPawnMove(moves, move, side) {
  if (rankOf(move.to) !== lastRank(side)) moves.push(move);
  else for (const promotion of [KNIGHT, BISHOP, ROOK, QUEEN]) moves.push({ ...move, promotion });
}

function addPawnMoves(position, from, moves) {
  const { board, side, passed } = position;
  const ahead = from + 8 * forward(side), second = ahead + 8 * forward(side);
  if (board[ahead] === EMPTY) {
    addPawnMove(moves, plainMove(from, ahead, PAWN, NONE), side);
    if (rankOf(from) === (side === WHITE ? 1 : 6) && board[second] === EMPTY)
      moves.push({ ...plainMove(from, second, PAWN, NONE), double: true });
  }
  for (const to of PAWN_TARGETS[side][from]) {
    if (board[to] !== EMPTY && colourOf(board[to]) !== side)
      addPawnMove(moves, plainMove(from, to, PAWN, typeOf(board[to])), side);
    else if (to === passed && rankOf(to) === (side === WHITE ? 5 : 2))
      moves.push({ ...plainMove(from, to, PAWN, PAWN), passing: true });
  }
}

const between = (a, b) => Array.from({ length: Math.abs(a - b) + 1 }, (_, i) => Math.min(a, b) + i);

// The king's and the rook's destination of castling.
export const castlingTargets = (side, castle) =>
  (castle === KING_SIDE ? [6, 5] : [2, 3]).map(file => squareAt(file, backRank(side)));

// Castling of which only the right exists.
export function castlingMove(position, castle) {
  const { side, rooks } = position;
  const rook = rooks[side][castle - 1];
  if (rook < 0) return null;
  const from = kingOf(position, side);
  return { ...plainMove(from, castlingTargets(side, castle)[0], KING, NONE), castle, rook };
}

function castlingIsFree(position, move) {
  const rookTo = castlingTargets(position.side, move.castle)[1];
  return [...between(move.from, move.to), ...between(move.rook, rookTo)]
    .every(square => square === move.from || square === move.rook || position.board[square] === EMPTY);
}

// Moves that follow the movement of the pieces. Checks are ignored; castling needs the right and the empty squares.
export function pseudoLegalMoves(position) {
  const { board, side } = position, moves = [];
  for (const from of piecesOf(position, side)) {
    const type = typeOf(board[from]);
    if (type === PAWN) { addPawnMoves(position, from, moves); continue; }
    for (const to of attacksFrom(board, from, type, side)) {
      if (board[to] === EMPTY) moves.push(plainMove(from, to, type, NONE));
      else if (colourOf(board[to]) !== side) moves.push(plainMove(from, to, type, typeOf(board[to])));
    }
  }
  for (const castle of [KING_SIDE, QUEEN_SIDE]) {
    const move = castlingMove(position, castle);
    if (move && castlingIsFree(position, move)) moves.push(move);
  }
  return moves;
}

// Moves the pieces on a board, without anything else.
export function movePieces(board, move, side) {
  board[move.from] = EMPTY;
  if (move.castle) {
    board[move.rook] = EMPTY;
    board[castlingTargets(side, move.castle)[1]] = 6 * side + ROOK;
  }
  if (move.passing) board[move.to - 8 * forward(side)] = EMPTY;
  board[move.to] = 6 * side + (move.promotion === NONE ? move.type : move.promotion);
}

function leavesKingSafe(position, move) {
  const { side } = position;
  if (move.castle && between(move.from, move.to).some(square => isAttacked(position.board, square, 1 - side))) return false;
  const board = position.board.slice();
  movePieces(board, move, side);
  return !isAttacked(board, board.indexOf(6 * side + KING), 1 - side);
}

export const legalMoves = position => pseudoLegalMoves(position).filter(move => leavesKingSafe(position, move));

function loseRights(rooks, move, side) {
  if (move.type === KING) rooks[side] = [NONE, NONE];
  for (const pair of rooks) for (const i of [0, 1]) if (pair[i] === move.from || pair[i] === move.to) pair[i] = NONE;
}

// The position after a legal move or a null move.
export function afterMove(position, move) {
  const next = copyOf(position), { side } = position;
  next.passed = NONE;
  next.clock = position.clock + 1;
  if (!move.isNull) {
    movePieces(next.board, move, side);
    loseRights(next.rooks, move, side);
    if (move.type === PAWN || move.taken !== NONE) next.clock = 0;
    if (move.double) next.passed = move.from + 8 * forward(side);
  }
  next.side = 1 - side;
  next.number += side === BLACK ? 1 : 0;
  return next;
}

// The number of leaf nodes of the tree of legal moves.
export function perft(position, depth) {
  if (depth === 0) return 1;
  const moves = legalMoves(position);
  if (depth === 1) return moves.length;
  return moves.reduce((sum, move) => sum + perft(afterMove(position, move), depth - 1), 0);
}

// Whether king and rook are on their squares of standard chess.
export const isStandardCastling = (move, side) =>
  move.from === squareAt(4, backRank(side)) && move.rook === squareAt(move.castle === KING_SIDE ? 7 : 0, backRank(side));

// The target as the canonical order writes it: castling is king takes rook.
export const canonicalTarget = move => (move.castle ? move.rook : move.to);

// Promotions are in the order none, bishop, knight, queen, rook.
const PROMOTION_ORDER = { [NONE]: 0, [BISHOP]: 1, [KNIGHT]: 2, [QUEEN]: 3, [ROOK]: 4 };
const canonicalKey = move =>
  (alongFiles(move.from) * 64 + alongFiles(canonicalTarget(move))) * 5 + PROMOTION_ORDER[move.promotion];

export const inCanonicalOrder = moves =>
  moves.map(move => [canonicalKey(move), move]).sort((a, b) => a[0] - b[0]).map(pair => pair[1]);

export const isSameMove = (a, b) => Boolean(a.isNull) === Boolean(b.isNull) && a.from === b.from && a.to === b.to &&
  a.promotion === b.promotion && a.castle === b.castle;
