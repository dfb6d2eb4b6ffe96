/* SPDX-License-Identifier: MIT */
// The rules of chess in the browser, in the notations of chess: for moves on the board, which never wait for the server.

import { afterMove, afterPass, hasMoves, isCheck, movesOf, readPosition, writePosition } from './position.js';

export const INITIAL = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

/** Returns the squares of a placement, from a8 to h1: letters, or '' for empty squares. */
export function squares(fen) {
  return [...fen.split(' ')[0].replace(/\d/g, (n) => '.'.repeat(Number(n))).replace(/\//g, '')].map((c) => (c === '.' ? '' : c));
}

/** Returns whether a text begins like a FEN: eight ranks of pieces and numbers. The board accepts nothing else. */
export const isPlacement = (fen) => /^([KQRBNPkqrbnp1-8]{1,8}\/){7}[KQRBNPkqrbnp1-8]{1,8}( |$)/.test(fen) && squares(fen).length === 64;

export const squareName = (index) => 'abcdefgh'[index % 8] + (8 - Math.floor(index / 8));

export const pieceAt = (fen, square) => squares(fen)[squareOf(square)];

const squareOf = (name) => 'abcdefgh'.indexOf(name[0]) + 8 * (8 - Number(name[1]));

/** Returns whether a castling move is written as the king's two squares, as in chess without other starting positions.
 * Otherwise it is written as king takes rook. */
const isUsual = ({ from, rook }) => from % 8 === 4 && (rook % 8 === 0 || rook % 8 === 7);

const toOf = (move) => squareName(move.rook >= 0 && !isUsual(move) ? move.rook : move.to);
const uciOf = (move) => squareName(move.from) + toOf(move) + move.promotion;

/** Returns the file or rank, or both, that a piece needs to differ from others that can move to the same square. */
function distinction(move, others) {
  const name = squareName(move.from);
  if (others.length === 0) return '';
  if (others.every((one) => one.from % 8 !== move.from % 8)) return name[0];
  return others.every((one) => one.from >> 3 !== move.from >> 3) ? name[1] : name;
}

function sanOf(position, move, moves) {
  const { squares, target } = position;
  const next = afterMove(position, move);
  const end = isCheck(next) ? (hasMoves(next) ? '+' : '#') : '';
  if (move.rook >= 0) return (move.rook > move.from ? 'O-O' : 'O-O-O') + end;
  const letter = squares[move.from];
  const pawn = letter.toLowerCase() === 'p';
  const takes = squares[move.to] !== '' || (pawn && move.to === target);
  const others = moves.filter((one) => one.to === move.to && one.from !== move.from && squares[one.from] === letter && one.rook < 0);
  const head = pawn ? (takes ? squareName(move.from)[0] : '') : letter.toUpperCase() + distinction(move, others);
  return head + (takes ? 'x' : '') + squareName(move.to) + (move.promotion && `=${move.promotion.toUpperCase()}`) + end;
}

const described = (position, move, moves) => ({ from: squareName(move.from), to: toOf(move), promotion: move.promotion || undefined, uci: uciOf(move), san: sanOf(position, move, moves) });

/** Returns whether a text is the FEN of a position that can be played. */
export const isLegalPosition = (fen) => readPosition(fen) !== null;

/** Returns the legal moves as {from, to, promotion, uci, san}; none if the text is not the FEN of a position that can be
 * played. */
export function legalMoves(fen) {
  const position = readPosition(fen);
  const moves = position ? movesOf(position) : [];
  return moves.map((move) => described(position, move, moves));
}

/** Returns the legal move with a UCI text. Castling may be written in both forms. */
function moveOfUci(position, text) {
  const [from, to] = [squareOf(text), squareOf(text.slice(2))];
  const fits = (move) => move.from === from && move.promotion === text.slice(4)
    && (move.rook < 0 ? move.to === to : move.rook === to || (isUsual(move) && move.to === to));
  return movesOf(position, fits)[0] ?? null;
}

/** Returns the other legal moves of the same kind of piece to the same square, which SAN must differ from. */
const rivals = (position, move) => movesOf(position, (one) => one.to === move.to && position.squares[one.from] === position.squares[move.from]);

/** Plays UCI moves up to the first that is not legal. Returns {fens, moves}; `fens` also contains the start. */
export function play(start, ucis) {
  let position = readPosition(start);
  const fens = [start];
  const moves = [];
  for (const text of ucis) {
    const move = position && moveOfUci(position, text);
    if (!move) break;
    moves.push(described(position, move, rivals(position, move)));
    position = afterMove(position, move);
    fens.push(writePosition(position));
  }
  return { fens, moves };
}

const CASTLING = /^O-?O(-?O)?$/;
const WORD = /^([KQRBNP])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:=?\(?([QRBNqrbn])\)?)?$/;

/** Returns a filter for the moves that a text in SAN or UCI can mean; null if it is no move. */
function meaning({ squares }, text) {
  const plain = text.replace(/[+#!?]+$/, '').replace(/^0-?0(-?0)?$/, (zeros) => zeros.replace(/0/g, 'O'));
  const castling = plain.match(CASTLING);
  if (castling) return (move) => move.rook >= 0 && move.rook < move.from === Boolean(castling[1]);
  const [, piece, file, rank, to, promotion = ''] = plain.match(WORD) ?? [];
  if (!to) return null;
  const letter = (piece ?? (file && rank ? null : 'P'))?.toLowerCase();
  return (move) => move.rook < 0 && move.to === squareOf(to) && move.promotion === promotion.toLowerCase()
    && (letter === undefined || squares[move.from].toLowerCase() === letter) && (!file || squareName(move.from)[0] === file) && (!rank || squareName(move.from)[1] === rank);
}

const passed = (position) => (isCheck(position) ? null : { uci: '0000', san: '--', fen: writePosition(afterPass(position)) });

let walked = { fen: null, position: null }; // the position after the last move of playOne, which the next move often continues

/** Plays a move in SAN or UCI, also with slight errors, such as 0-0. Returns {uci, san, fen}; null if it is not one legal
 * move. A null move, "--" in SAN, is 0000. */
export function playOne(fen, text) {
  const position = walked.fen === fen ? walked.position : readPosition(fen);
  if (!position) return null;
  if (text === '--' || text === '0000') return passed(position);
  const filter = meaning(position, text);
  const found = filter ? movesOf(position, filter) : [];
  const move = found.length === 1 ? found[0] : found.length === 0 && /^[a-h][1-8][a-h][1-8]$/.test(text) && moveOfUci(position, text); // castling in UCI
  if (!move) return null;
  const next = afterMove(position, move);
  walked = { fen: writePosition(next), position: next };
  return { uci: uciOf(move), san: sanOf(position, move, rivals(position, move)), fen: walked.fen };
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
