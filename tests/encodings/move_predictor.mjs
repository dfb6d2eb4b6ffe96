/* SPDX-License-Identifier: MIT */
// The predictor of doc/format/predictor.md, without facts about the game: the frequency of each legal move. The weights are the first
// part of src/model/predict_weights.c.bin.

import { readFileSync } from 'node:fs';
import {
  BISHOP, EMPTY, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK, WHITE, attacksFrom, attacksOnEmptyBoard, colourOf, fileOf,
  piecesOf, rankOf, typeOf,
} from './chess_rules.mjs';

const LEVELS = [0, 1, 1, 2, 3, 4];    // pawn, minor piece, rook, queen, king; a piece with a lower level is lesser
const VECTORS = 3968, UNITS = 512, PRODUCTS = 256, OUTPUTS = 64;

// -------------------------------------------------------------------------------------------------------------- weights

// The parts of the weights, in the order of the document.
export function readWeights(path) {
  const bytes = readFileSync(path), buffer = new Uint8Array(bytes).buffer;
  let at = Number(new DataView(buffer).getBigUint64(16, true));    // the start of the first part, in the header
  const part = (Type, count) => {
    const numbers = new Type(buffer.slice(at, at + count * Type.BYTES_PER_ELEMENT));
    at += count * Type.BYTES_PER_ELEMENT;
    return numbers;
  };
  return {
    first: part(Int8Array, 6604 * UNITS), firstBias: part(Int16Array, UNITS),
    second: part(Int16Array, PRODUCTS * OUTPUTS), secondBias: part(Int32Array, OUTPUTS),
    vectors: part(Int8Array, 2 * VECTORS * OUTPUTS), vectorBias: part(Int16Array, 2 * VECTORS),
    exchanges: part(Int16Array, 10368), returns: part(Int16Array, 1024), distances: part(Int16Array, 3072),
    hashed: [18, 19, 20].map(log => ({ log, numbers: part(Int8Array, 1 << log) })),
  };
}

// ------------------------------------------------------------------------------------------------------------ the view

// The squares that a side attacks: for each square the number of attacking pieces and the least level, or 5.
function attackMaps(board, side, transparent) {
  const seen = board.slice(), counts = new Uint8Array(64), least = new Uint8Array(64).fill(5);
  if (transparent >= 0) seen[transparent] = EMPTY;
  for (let square = 0; square < 64; square++) {
    const piece = board[square];
    if (piece === EMPTY || colourOf(piece) !== side) continue;
    for (const target of attacksFrom(seen, square, typeOf(piece), side)) {
      counts[target]++;
      least[target] = Math.min(least[target], LEVELS[typeOf(piece)]);
    }
  }
  return { counts, least };
}

// Everything is seen from the side to move: `turn` is added to squares by XOR.
function seenBy(position) {
  const { board, side } = position, ourKing = board.indexOf(6 * side + KING);
  return {
    position, side, turn: side === WHITE ? 0 : 56, ourKing, theirKing: board.indexOf(6 * (1 - side) + KING),
    ours: attackMaps(board, side, NONE), theirs: attackMaps(board, 1 - side, ourKing),
    pieces: board.reduce((count, piece) => count + (piece === EMPTY ? 0 : 1), 0),
  };
}

// --------------------------------------------------------------------------------------------------------------- inputs

function threatOf(type, isEnemy, attackers, square) {
  if (attackers.counts[square] === 0) return 0;
  if (type === PAWN || (type === KING && isEnemy)) return 1;
  return attackers.least[square] < LEVELS[type] ? 2 : 1;
}

function pieceInputs(view, inputs) {
  view.position.board.forEach((piece, square) => {
    if (piece === EMPTY) return;
    const isEnemy = colourOf(piece) !== view.side, type = typeOf(piece);
    const [own, other] = isEnemy ? [view.theirs, view.ours] : [view.ours, view.theirs];
    const threat = threatOf(type, isEnemy, other, square), defended = own.counts[square] ? 1 : 0;
    inputs.push((((isEnemy ? 6 : 0) + type) * 64 + (square ^ view.turn)) * 6 + 2 * threat + defended);
  });
}

const typeAfter = move => (move.promotion === NONE ? move.type : move.promotion);

function historyInputs(view, history, inputs) {
  history.slice(-4).reverse().forEach((move, k) => {
    if (move.isNull) return;
    inputs.push(4608 + 448 * k + typeAfter(move) * 64 + (move.to ^ view.turn), 4608 + 448 * k + 384 + (move.from ^ view.turn));
    if (k === 0 && move.taken !== NONE) inputs.push(6400 + (move.to ^ view.turn));
  });
}

function plyBucket(p) {
  if (p < 8) return p >> 1;
  if (p < 16) return 4 + ((p - 8) >> 2);
  if (p < 32) return 6 + ((p - 16) >> 3);
  if (p < 64) return 8 + ((p - 32) >> 3);
  if (p < 96) return 12 + ((p - 64) >> 4);
  return p < 128 ? 14 : 15;
}

const clockBucket = clock => (clock < 4 ? clock : clock < 8 ? 4 : clock < 16 ? 5 : clock < 40 ? 6 : 7);

function inputsOf(view, history, start) {
  const inputs = [], { position, side } = view;
  pieceInputs(view, inputs);
  historyInputs(view, history, inputs);
  const rooks = [...position.rooks[side], ...position.rooks[1 - side]];
  rooks.forEach((rook, index) => { if (rook !== NONE) inputs.push(6464 + index); });
  if (position.passed !== NONE) inputs.push(6468 + fileOf(position.passed));
  const p = history.length + 2 * (Math.max(start.number, 1) - 1) + start.side;
  inputs.push(6476, 6492, 6508, 6516 + plyBucket(p), 6532 + clockBucket(position.clock), 6540 + 15);
  return inputs;
}

// ---------------------------------------------------------------------------------------------------------- the network

const cut = (value, most) => Math.max(0, Math.min(value, most));

function outputsOf(weights, inputs) {
  const units = Int32Array.from(weights.firstBias), sums = Int32Array.from(weights.secondBias);
  for (const input of inputs) for (let unit = 0, at = input * UNITS; unit < UNITS; unit++, at++) units[unit] += weights.first[at];
  for (let n = 0; n < PRODUCTS; n++) {
    const product = cut(units[n], 128) * cut(units[n + PRODUCTS], 128);
    if (!product) continue;
    const first = (n >> 1) * 2 * OUTPUTS + (n & 1);
    for (let output = 0; output < OUTPUTS; output++) sums[output] += product * weights.second[first + 2 * output];
  }
  return sums.map(sum => { const part = cut(sum, 1 << 20) >> 10; return (part * part) >> 10; });
}

// --------------------------------------------------------------------------------------------------------------- vectors

// The targets of a type from a square, for a side that moves up the board, in ascending order.
function possibleTargets(type, from) {
  if (type === PAWN) {
    const rank = rankOf(from), file = fileOf(from);
    if (rank < 1 || rank > 6) return [];
    const targets = [from + 8];
    if (rank === 1) targets.push(from + 16);
    if (file > 0) targets.push(from + 7);
    if (file < 7) targets.push(from + 9);
    return targets.sort((a, b) => a - b);
  }
  const targets = [...attacksOnEmptyBoard(from, type)];
  if (type === KING && from === 4) targets.push(2, 6);
  return targets.sort((a, b) => a - b);
}

const VECTOR_NUMBERS = new Map();
for (let type = PAWN; type <= KING; type++)
  for (let from = 0; from < 64; from++)
    for (const to of possibleTargets(type, from)) VECTOR_NUMBERS.set((type * 64 + from) * 64 + to, VECTOR_NUMBERS.size);

function vectorOf(view, move) {
  const from = move.castle ? 4 : move.from ^ view.turn, to = move.to ^ view.turn;
  if (move.promotion !== NONE && move.promotion !== QUEEN)
    return 3810 + (move.promotion - KNIGHT) * 24 + fileOf(from) * 3 + 1 + fileOf(to) - fileOf(from);
  return VECTOR_NUMBERS.get((move.type * 64 + from) * 64 + to);
}

// --------------------------------------------------------------------------------------------------- facts about a move

// Whether the target has enough for the piece to be given up.
function capturesEnough(move) {
  if (move.passing || move.taken === NONE) return false;
  return [true, move.taken !== PAWN, move.taken !== PAWN, move.taken >= ROOK, move.taken === QUEEN][move.type - PAWN];
}

const isPush = move => move.type === PAWN && move.taken === NONE;
const isSupported = (view, move) => view.ours.counts[move.to] >= (isPush(move) || move.castle ? 1 : 2);

function losesPiece(view, move) {
  if (move.type === KING || capturesEnough(move)) return false;
  if (view.theirs.least[move.to] < LEVELS[move.type]) return true;
  return view.theirs.counts[move.to] > 0 && !isSupported(view, move);
}

function givesCheck(view, move) {
  const type = typeAfter(move);
  return type !== KING && attacksFrom(view.position.board, move.to, type, view.side).includes(view.theirKing);
}

function exchangeOf(view, move) {
  const { ours, theirs } = view, victim = move.taken === NONE ? 5 : move.taken;
  let number = (move.type * 6 + theirs.least[move.from]) * 2 + (ours.counts[move.from] ? 1 : 0);
  number = (number * 6 + victim) * 6 + theirs.least[move.to];
  return (number * 2 + (isSupported(view, move) ? 1 : 0)) * 2 + (givesCheck(view, move) ? 1 : 0);
}

const reverses = (move, before) => before && !before.isNull && !move.isNull && move.from === before.to && move.to === before.from;

function returnOf(view, move, history) {
  const m = move.taken === NONE && reverses(move, history.at(-2));
  const r = history.length > 2 && reverses(history.at(-1), history.at(-3));
  return (m ? 1 : 0) + (r ? 2 : 0) + (view.position.clock >= 6 ? 4 : 0) + 32 * 7;
}

const kingSteps = (a, b) => Math.max(Math.abs(fileOf(a) - fileOf(b)), Math.abs(rankOf(a) - rankOf(b)));

function distanceOf(view, move) {
  const phase = view.pieces > 24 ? 0 : view.pieces > 12 ? 1 : 2;
  const isNearer = kingSteps(move.to, view.ourKing) < kingSteps(move.from, view.ourKing);
  const number = (move.type * 8 + kingSteps(move.from, view.theirKing)) * 8 + kingSteps(move.to, view.theirKing);
  return (number * 3 + phase) * 2 + (isNearer ? 1 : 0);
}

// -------------------------------------------------------------------------------------------------------- hashed tables

const GOLDEN = 0x9E3779B97F4A7C15n, SECOND = 0xD6E8FEB86659FD93n, PAWNS = 0xC2B2AE3D27D4EB4Fn;
const low64 = x => BigInt.asUintN(64, x);

function mix(x) {
  x = low64(x * GOLDEN);
  x ^= x >> 32n;
  return Number(low64(x * SECOND) >> 32n);
}

const SPREAD = Array.from({ length: VECTORS }, (_, vector) => mix(BigInt(vector + 77777)));
const known = new Map();
function mixed(base, number) {
  const key = base * 65536 + number;
  if (!known.has(key)) known.set(key, mix((1n << BigInt(base)) + BigInt(number)));
  return known.get(key);
}

function pawnSet(view, side) {
  return piecesOf(view.position, side, PAWN).reduce((set, square) => set | (1n << BigInt(square ^ view.turn)), 0n);
}

function contextsOf(view, history) {
  const last = history.at(-1), second = history.at(-2);
  const place = move => typeAfter(move) * 64 + (move.to ^ view.turn);
  const own = pawnSet(view, view.side), enemy = pawnSet(view, 1 - view.side);
  return [
    !last || last.isNull ? mixed(40, 0) : mixed(40, 1 + place(last) * 2 + (last.taken === NONE ? 0 : 1)),
    !second || second.isNull ? mixed(41, 0) : mixed(41, 1 + place(second) * 64 + (second.from ^ view.turn)),
    mix(low64(own * GOLDEN) ^ (low64(enemy * PAWNS) >> 7n) ^ enemy),
  ];
}

function hashedWeight(table, context, vector) {
  const slot = (context >>> (32 - table.log)) & ~255;
  return table.numbers[slot | ((SPREAD[vector] >>> (context % 16)) & 255)];
}

// --------------------------------------------------------------------------------------------------------------- logits

function logitOf(weights, view, move, history, outputs, contexts) {
  const vector = vectorOf(view, move), row = vector + (losesPiece(view, move) ? VECTORS : 0);
  let dot = 0;
  for (let output = 0; output < OUTPUTS; output++) dot += outputs[output] * weights.vectors[row * OUTPUTS + output];
  let logit = (dot + (1 << 27)) >> 7;
  logit += weights.vectorBias[row] + weights.exchanges[exchangeOf(view, move)] + weights.returns[returnOf(view, move, history)];
  logit += weights.distances[distanceOf(view, move)];
  weights.hashed.forEach((table, index) => { logit += 16 * hashedWeight(table, contexts[index], vector); });
  return logit;
}

const PROMOTION_ORDER = { [NONE]: 0, [QUEEN]: 0, [KNIGHT]: 1, [BISHOP]: 2, [ROOK]: 3 };
function orderOf(view, move) {
  const place = move.castle ? 4096 + move.castle : (move.from ^ view.turn) * 64 + (move.to ^ view.turn);
  return (move.type * 8192 + place) * 4 + PROMOTION_ORDER[move.promotion];
}

const POWERS = Array.from({ length: 256 }, (_, n) => Math.round(65535 * 2 ** (-n / 256)));
const powerOf = distance => (distance >= 4096 ? 0 : POWERS[distance % 256] >> (distance >> 8));

function frequenciesOf(logits) {
  if (logits.length === 1) return [65536];
  const best = Math.max(...logits), powers = logits.map(logit => powerOf(best - logit));
  const sum = powers.reduce((a, b) => a + b), scale = Math.floor((65536 - logits.length) * 65536 / sum);
  const frequencies = powers.map(power => 1 + Math.floor(power * scale / 65536));
  frequencies[logits.indexOf(best)] += 65536 - frequencies.reduce((a, b) => a + b);
  return frequencies;
}

// The legal moves in the predictor's order, as { move, logit, frequency }. `history` are the moves from the position `start`.
export function predict(weights, position, moves, history, start) {
  const view = seenBy(position), contexts = contextsOf(view, history);
  const outputs = outputsOf(weights, inputsOf(view, history, start));
  const ordered = [...moves].sort((a, b) => orderOf(view, a) - orderOf(view, b));
  const logits = ordered.map(move => logitOf(weights, view, move, history, outputs, contexts));
  const frequencies = frequenciesOf(logits);
  return ordered.map((move, index) => ({ move, logit: logits[index], frequency: frequencies[index] }));
}
