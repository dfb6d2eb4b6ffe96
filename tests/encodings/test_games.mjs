/* SPDX-License-Identifier: MIT */
// Games for the comparison: drawn at random from set-ups and Chess960, or read from PGN text. A game is { fen, moves }, with
// moves of chess_rules.mjs; an empty `fen` is the initial position.

import { NONE, NULL_MOVE, PAWN, afterMove, inCheck, legalMoves, rankOf } from './chess_rules.mjs';
import { readFen, squareNamed } from './chess_notation.mjs';

const SET_UPS = [
  '', '', '', '',
  'rnbqkbnr/1qqqqqq1/8/8/8/8/1QQQQQQ1/RNBQKBNR w KQkq - 0 1',
  'k7/5Q2/8/2Q5/8/1N5N/2P5/1B2KR2 w - - 0 1',
  'k7/5p2/8/8/7R/N1N1N3/6P1/R1QR2K1 w - - 0 1',
  '8/PPPPPPPP/7k/8/8/7K/pppppppp/8 w - - 0 1',
  'r3k2r/PPP3PP/8/8/8/8/ppp3pp/R3K2R w KQkq - 0 1',
  'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1',
  'qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1',
  '6k1/8/2QQ4/2Q5/8/PPPPPPP1/8/2B1KB1R w - - 0 1',
  '4k3/bbb1nnn1/1rrrr3/8/8/3BBB2/NNNNRRR1/4K3 b - - 0 1',
  '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1',
  '4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1',
  'q2k4/1q6/2q5/8/1N4N1/N1B1B1N1/PP4PP/RR2K1RR b - - 0 1',
];

// A generator of whole numbers below n (mulberry32).
export function randomNumbers(seed) {
  return n => {
    seed = (seed + 0x6D2B79F5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * n);
  };
}

// A random initial position of Chess960, in which both sides may have different arrangements.
function randomChess960(random) {
  const row = () => {
    const files = Array(8).fill('');
    const place = (piece, free) => { files[free[random(free.length)]] = piece; };
    const free = () => [0, 1, 2, 3, 4, 5, 6, 7].filter(file => !files[file]);
    place('b', [0, 2, 4, 6]);
    place('b', [1, 3, 5, 7]);
    for (const piece of ['q', 'n', 'n']) place(piece, free());
    free().forEach((file, index) => { files[file] = 'rkr'[index]; });
    return files.join('');
  };
  return `${row()}/pppppppp/8/8/8/8/PPPPPPPP/${row().toUpperCase()} w KQkq - 0 1`;
}

// A random move; promotions, captures by pawns and castling are drawn more often, so that rare codes occur.
function randomMove(position, random) {
  const moves = legalMoves(position);
  if (!moves.length) return null;
  const rare = moves.filter(move => move.promotion !== NONE || move.castle || move.passing || move.double);
  if (rare.length && random(3) === 0) return rare[random(rare.length)];
  const quiet = moves.filter(move => move.taken === NONE);
  if (quiet.length && random(4) > 0) return quiet[random(quiet.length)];
  return moves[random(moves.length)];
}

export function randomGame(random, plies) {
  const fen = random(4) === 0 ? randomChess960(random) : SET_UPS[random(SET_UPS.length)], moves = [];
  const nulls = random(8) === 0;
  let position = fen ? readFen(fen) : readFen();
  for (let ply = 0; ply < plies && position.clock < 150; ply++) {
    const move = nulls && random(30) === 0 && !inCheck(position) ? NULL_MOVE : randomMove(position, random);
    if (!move) break;
    moves.push(move);
    position = afterMove(position, move);
  }
  return { fen, moves };
}

const SAN = /^([NBRQK]?)([a-h]?)([1-8]?)x?([a-h][1-8])(?:=?([NBRQ]))?[+#]?$/;

// The legal move of a word of PGN, or undefined.
export function moveOfText(position, text) {
  const moves = legalMoves(position);
  if (text.startsWith('O-O')) return moves.find(move => move.castle === (text.startsWith('O-O-O') ? 2 : 1));
  const parts = SAN.exec(text);
  if (!parts) return undefined;
  const [, piece, file, rank, target, promotion] = parts, type = piece ? 'PNBRQK'.indexOf(piece) : PAWN;
  return moves.find(move => move.type === type && !move.castle && move.to === squareNamed(target) &&
    (!file || 'abcdefgh'[move.from & 7] === file) && (!rank || rankOf(move.from) + 1 === Number(rank)) &&
    move.promotion === (promotion ? 'PNBRQK'.indexOf(promotion) : NONE));
}

// The main lines of games in PGN text; a game ends before the first text that is not a legal move.
export function* pgnGames(text) {
  for (const part of text.split(/\n\n(?=\[)/)) {
    const fen = /\[FEN "([^"]*)"\]/.exec(part)?.[1] ?? '', moves = [];
    let body = part.replace(/^\[.*\]$/gm, '').replace(/\{[^}]*\}/g, ' ').replace(/;.*$/gm, ' ');
    while (/\([^()]*\)/.test(body)) body = body.replace(/\([^()]*\)/g, ' ');
    let position = fen ? readFen(fen) : readFen();
    for (const word of body.replace(/\d+\.+/g, ' ').replace(/\$\d+/g, ' ').replace(/[!?]/g, '').split(/\s+/)) {
      if (!word) continue;
      const move = moveOfText(position, word);
      if (!move) break;
      moves.push(move);
      position = afterMove(position, move);
    }
    if (moves.length) yield { fen, moves };
  }
}
