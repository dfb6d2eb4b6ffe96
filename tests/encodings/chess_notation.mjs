/* SPDX-License-Identifier: MIT */
// FEN and the texts of moves: codes `fen`, `shredder-fen`, `uci`, `san` and `lan`.

import {
  BLACK, EMPTY, KING, KING_SIDE, NONE, PAWN, QUEEN_SIDE, ROOK, WHITE, afterMove, backRank, fileOf, inCheck,
  isStandardCastling, legalMoves, rankOf, squareAt,
} from './chess_rules.mjs';

const PIECE_LETTERS = 'PNBRQKpnbrqk', TYPE_LETTERS = 'PNBRQK';
const INITIAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export const squareName = square => 'abcdefgh'[fileOf(square)] + (rankOf(square) + 1);
export const squareNamed = name => squareAt('abcdefgh'.indexOf(name[0]), Number(name[1]) - 1);

function readBoard(text) {
  const board = new Int8Array(64).fill(EMPTY);
  text.split('/').forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (letter >= '1' && letter <= '8') file += Number(letter);
      else board[squareAt(file++, 7 - index)] = PIECE_LETTERS.indexOf(letter);
    }
  });
  return board;
}

// The rook that is farthest from the king on one side of the back rank, or -1.
export function outermostRook(board, side, castle) {
  const rank = backRank(side), king = board.indexOf(6 * side + KING);
  const files = castle === KING_SIDE ? [7, 6, 5, 4, 3, 2, 1, 0] : [0, 1, 2, 3, 4, 5, 6, 7];
  const file = files.find(at => board[squareAt(at, rank)] === 6 * side + ROOK);
  if (file === undefined || rankOf(king) !== rank) return NONE;
  return (file > fileOf(king)) === (castle === KING_SIDE) ? squareAt(file, rank) : NONE;
}

function readRights(board, text) {
  const rooks = [[NONE, NONE], [NONE, NONE]];
  for (const letter of text.replace('-', '')) {
    const side = letter === letter.toUpperCase() ? WHITE : BLACK, kind = letter.toUpperCase();
    const castle = kind === 'K' ? KING_SIDE : kind === 'Q' ? QUEEN_SIDE : 0;
    const square = castle ? outermostRook(board, side, castle) : squareAt('ABCDEFGH'.indexOf(kind), backRank(side));
    rooks[side][square > board.indexOf(6 * side + KING) ? 0 : 1] = square;
  }
  return rooks;
}

export function readFen(text = INITIAL) {
  const [pieces, side, rights, passed, clock = '0', number = '1'] = text.trim().split(/\s+/);
  const board = readBoard(pieces);
  return {
    board, side: side === 'w' ? WHITE : BLACK, rooks: readRights(board, rights),
    passed: passed === '-' ? NONE : squareNamed(passed), clock: Number(clock), number: Number(number),
  };
}

function boardText(board) {
  const rows = [];
  for (let rank = 7; rank >= 0; rank--) {
    let row = '';
    for (let file = 0; file < 8; file++) {
      const piece = board[squareAt(file, rank)];
      row += piece === EMPTY ? '1' : PIECE_LETTERS[piece];
    }
    rows.push(row.replace(/1+/g, gap => gap.length));
  }
  return rows.join('/');
}

function rightsText(position, alwaysFiles) {
  let text = '';
  for (const side of [WHITE, BLACK]) for (const castle of [KING_SIDE, QUEEN_SIDE]) {
    const rook = position.rooks[side][castle - 1];
    if (rook < 0) continue;
    const isOutermost = !alwaysFiles && outermostRook(position.board, side, castle) === rook;
    const letter = isOutermost ? 'KQ'[castle - 1] : 'ABCDEFGH'[fileOf(rook)];
    text += side === WHITE ? letter : letter.toLowerCase();
  }
  return text || '-';
}

export function fenOf(position, alwaysFiles = false) {
  const passed = position.passed < 0 ? '-' : squareName(position.passed);
  return [boardText(position.board), 'wb'[position.side], rightsText(position, alwaysFiles), passed, position.clock,
    position.number].join(' ');
}

// The spelling of `uci`: in standard castling the king's two squares, otherwise king takes rook.
export function uciOf(move, side) {
  if (move.isNull) return '0000';
  const target = move.castle && !isStandardCastling(move, side) ? move.rook : move.to;
  const promotion = move.promotion === NONE ? '' : TYPE_LETTERS[move.promotion].toLowerCase();
  return squareName(move.from) + squareName(target) + promotion;
}

function suffixOf(position, move) {
  const next = afterMove(position, move);
  if (!inCheck(next)) return '';
  return legalMoves(next).length ? '+' : '#';
}

function disambiguation(moves, move) {
  const isRival = other => other.type === move.type && other.to === move.to && other.from !== move.from && !other.castle;
  const rivals = moves.filter(isRival);
  if (!rivals.length) return '';
  const name = squareName(move.from);
  if (!rivals.some(other => fileOf(other.from) === fileOf(move.from))) return name[0];
  return rivals.some(other => rankOf(other.from) === rankOf(move.from)) ? name : name[1];
}

const promotionText = move => (move.promotion === NONE ? '' : '=' + TYPE_LETTERS[move.promotion]);

export function sanOf(position, move, moves = legalMoves(position)) {
  if (move.isNull) return '--';
  if (move.castle) return ['O-O', 'O-O-O'][move.castle - 1] + suffixOf(position, move);
  const taking = move.taken === NONE ? '' : 'x';
  const pawnFile = taking ? squareName(move.from)[0] : '';
  const piece = move.type === PAWN ? pawnFile : TYPE_LETTERS[move.type] + disambiguation(moves, move);
  return piece + taking + squareName(move.to) + promotionText(move) + suffixOf(position, move);
}

export function lanOf(position, move) {
  if (move.isNull) return '--';
  if (move.castle) return ['O-O', 'O-O-O'][move.castle - 1] + suffixOf(position, move);
  const piece = move.type === PAWN ? '' : TYPE_LETTERS[move.type];
  return piece + squareName(move.from) + (move.taken === NONE ? '-' : 'x') + squareName(move.to) + promotionText(move) +
    suffixOf(position, move);
}

// The legal move with a SAN, without its check and mate signs.
export function moveOfSan(position, san, moves = legalMoves(position)) {
  const wanted = san.replace(/[+#]$/, '');
  return moves.find(move => sanOf(position, move, moves).replace(/[+#]$/, '') === wanted);
}
