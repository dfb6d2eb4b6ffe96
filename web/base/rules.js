/* SPDX-License-Identifier: MIT */
// The rules of chess in the browser, from chess.js: for legal drags, and for the board before the server answers.
// Without chess.js (not every build includes it), and for positions that it does not support, these functions return
// less, and the server's answers are used. chess.js castles only from the e file: in Chess960, castling moves are
// played from the table.

export const INITIAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

let Chess = null;

export async function loadRules() {
  try {
    ({ Chess } = await import('../chess.js/dist/esm/chess.js'));
  } catch {
    console.info('chess.js is not in this build: moves are played from the table');
  }
}

/** Returns the squares of a placement, from a8 to h1: letters, or '' for empty squares. */
export function squares(fen) {
  return [...fen.split(' ')[0].replace(/\d/g, (n) => '.'.repeat(Number(n))).replace(/\//g, '')].map((c) => (c === '.' ? '' : c));
}

/** Returns whether a text begins like a FEN: eight ranks of pieces and numbers. The board accepts nothing else. */
export const isPlacement = (fen) => /^([KQRBNPkqrbnp1-8]{1,8}\/){7}[KQRBNPkqrbnp1-8]{1,8}( |$)/.test(fen) && squares(fen).length === 64;

export const squareName = (index) => 'abcdefgh'[index % 8] + (8 - Math.floor(index / 8));

export const pieceAt = (fen, square) => squares(fen)['abcdefgh'.indexOf(square[0]) + 8 * (8 - Number(square[1]))];

// Removes castling rights that chess.js does not handle correctly.
function known(fen) {
  const fields = fen.split(' ');
  const rook = { K: 'h1', Q: 'a1', k: 'h8', q: 'a8' };
  const rights = [...(fields[2] ?? '-')].filter((c) => {
    const white = c === c.toUpperCase();
    return rook[c] && pieceAt(fen, rook[c]) === (white ? 'R' : 'r') && pieceAt(fen, white ? 'e1' : 'e8') === (white ? 'K' : 'k');
  });
  return [fields[0], fields[1] ?? 'w', rights.join('') || '-', fields[3] ?? '-', fields[4] ?? '0', fields[5] ?? '1'].join(' ');
}

function chess(fen) {
  try {
    return Chess && new Chess(known(fen));
  } catch {
    return null;
  }
}

const uci = (move) => move.from + move.to + (move.promotion ?? '');

function legal(position) {
  return position.moves({ verbose: true }).map((move) => ({ from: move.from, to: move.to, promotion: move.promotion, uci: uci(move), san: move.san }));
}

/** Returns the legal moves as {from, to, promotion, uci, san}; none if the position is not supported. */
export function legalMoves(fen) {
  const position = chess(fen);
  return position ? legal(position) : [];
}

/** Converts castling from king takes rook to the king's two squares: e1h1 becomes e1g1. Other moves are unchanged. */
export function kingsCastling(fen, move) {
  const [from, to] = [move.slice(0, 2), move.slice(2, 4)];
  const [king, rook] = [pieceAt(fen, from), pieceAt(fen, to)];
  const castles = (king === 'K' && rook === 'R') || (king === 'k' && rook === 'r');
  return castles && from[0] === 'e' ? from + (to[0] > from[0] ? 'g' : 'c') + from[1] : move;
}

/** Plays UCI moves up to the first that is not legal. Returns {fens, moves}; `fens` also contains the start. */
export function play(start, ucis) {
  const position = chess(start);
  const fens = [start];
  const moves = [];
  for (const text of ucis) {
    const move = position && legal(position).find((one) => one.uci === kingsCastling(fens.at(-1), text));
    if (!move) break;
    position.move(move);
    fens.push(position.fen());
    moves.push(move);
  }
  return { fens, moves };
}

let walked = null; // the position after the last move of playOne, which the next move often continues

/** Plays a move in SAN or UCI, also with slight errors, such as 0-0. Returns {uci, san, fen}; null if it is not one legal
 * move. A null move, "--" in SAN, is 0000. */
export function playOne(fen, text) {
  const position = walked?.fen() === fen ? walked : chess(fen);
  try {
    const move = position.move(text, { strict: false });
    walked = position;
    return { uci: move.san === '--' ? '0000' : uci(move), san: move.san, fen: position.fen() };
  } catch {
    walked = null;
    return null;
  }
}

/** Returns the move that a player typed, in SAN or UCI; null if none or several match. Ignores +, #, x and accepts 0
 * for O. */
export function readMove(moves, text) {
  const plain = (san) => san.replace(/[+#x=!?\s]/g, '').replace(/0/g, 'O');
  const fit = moves.filter((move) => move.uci === text.trim().toLowerCase() || plain(move.san) === plain(text));
  return fit.length === 1 ? fit[0] : null;
}

/** Returns by how many plies the first move of a FEN is later than White's first move. */
export function shiftOf(fen) {
  const fields = fen.split(' ');
  return 2 * ((Number(fields[5]) || 1) - 1) + (fields[1] === 'b' ? 1 : 0);
}

/** Returns the part of a FEN that identifies a position here: placement, side to move and castling rights. */
export const key = (fen) => fen.split(' ').slice(0, 3).join(' ');

/** Returns the first ply at which a game has a position; -1 if there is none. */
export const plyOf = (fens, fen) => fens.findIndex((one) => key(one) === key(fen));

const NAMES = { k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

/** Returns "white knight" or "black pawn", for example. */
export const pieceName = (letter) => `${letter === letter.toUpperCase() ? 'white' : 'black'} ${NAMES[letter.toLowerCase()]}`;

/** Describes the position in words, for screen readers. */
export function inWords(fen) {
  const side = (letters) => [...letters].flatMap((letter) => squares(fen)
    .flatMap((piece, i) => (piece === letter ? [`${NAMES[letter.toLowerCase()]} ${squareName(i)}`] : []))).join(', ') || 'nothing';
  const turn = fen.split(' ')[1] === 'b' ? 'Black' : 'White';
  return `${turn} to move. White: ${side('KQRBNP')}. Black: ${side('kqrbnp')}.`;
}
