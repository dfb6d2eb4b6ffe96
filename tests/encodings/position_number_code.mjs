/* SPDX-License-Identifier: MIT */
// The code position-number. The positions in a group, and before it, are counted with sums and products, which are kept.
//
// Unlike the other files, this one was written with the source of the library at hand.

import {
  BISHOP, BLACK, EMPTY, KING, KNIGHT, NONE, PAWN, QUEEN, ROOK, WHITE, colourOf, copyOf, fileOf, kingOf, squareAt,
  typeOf,
} from './chess_rules.mjs';
import { clockOf, digits, emptyPosition, seemsPossible } from './position_bits.mjs';

const PAWNS = 8, PIECES = 16, CLOCKS = 101n;
const FIXED_PIECES = [0, 2, 3];    // by the number of fixed rooks

const kept = new Map();
function keep(name, numbers, count) {
  const key = name + numbers.join(' ');
  if (!kept.has(key)) kept.set(key, count());
  return kept.get(key);
}

const BINOMIALS = [[1n]];
for (let n = 1; n <= 64; n++)
  BINOMIALS.push(Array.from({ length: n + 1 }, (_, k) => (BINOMIALS[n - 1][k - 1] ?? 0n) + (BINOMIALS[n - 1][k] ?? 0n)));
const choose = (n, k) => BINOMIALS[n]?.[k] ?? 0n;

// --------------------------------------------------------------------------------------------------------------- subsets

// The number of a subset of `all`, which is in ascending order.
const subsetNumber = (subset, all) =>
  subset.map(each => all.indexOf(each)).sort((a, b) => a - b).reduce((sum, index, place) => sum + choose(index, place + 1), 0n);

function subsetOf(number, count, all) {
  const subset = [];
  for (let index = all.length - 1; index >= 0 && count > 0; index--) {
    if (choose(index, count) > number) continue;
    number -= choose(index, count--);
    subset.unshift(all[index]);
  }
  return subset;
}

// -------------------------------------------------------------------------------------------------------------- castling

// Castlings as [king, h-side rook, a-side rook], files; 8 is no rook. Those with one rook are first.
const CASTLINGS = [null];
for (const rooks of [1, 2])
  for (let king = 0; king < 8; king++) for (let h = 0; h <= 8; h++) for (let a = 0; a <= 8; a++)
    if (h > king && (a < king || a === 8) && (h < 8) + (a < 8) === rooks) CASTLINGS.push([king, h, a]);
const fixedRooks = castling => (castling === 0 ? 0 : castling <= 56 ? 1 : 2);

function castlingOf(position, side) {
  const files = position.rooks[side].map(rook => (rook === NONE ? 8 : fileOf(rook)));
  if (files.every(file => file === 8)) return 0;
  const wanted = [fileOf(kingOf(position, side)), ...files];
  return CASTLINGS.findIndex(each => each && compareLists(each, wanted) === 0);
}

const fixedSquares = position => [WHITE, BLACK].flatMap(side => {
  const rooks = position.rooks[side].filter(rook => rook !== NONE);
  return rooks.length ? [kingOf(position, side), ...rooks] : [];
});

// ----------------------------------------------------------------------------------------------------------------- pawns

const digitOf = (code, rank) => Math.floor(code / 3 ** (rank - 2)) % 3;

function classOfCode(code) {
  let white = 0, black = 0, pairs = 0, free = 0;
  for (let rank = 2; rank <= 7; rank++) {
    if (digitOf(code, rank) === 1) { white++; free++; }
    if (digitOf(code, rank) !== 2) continue;
    black++;
    if (free) { free--; pairs++; }
  }
  return [white, black, pairs];
}

const compareLists = (a, b) => a.map((each, index) => each - b[index]).find(difference => difference) ?? 0;
const CODES = Array.from({ length: 729 }, (_, code) => ({ code, pawns: classOfCode(code) }))
  .sort((a, b) => compareLists(a.pawns, b.pawns) || a.code - b.code);

// The codes of the n-th file in the order of numbering.
const codesAt = [
  CODES.filter(({ code }) => digitOf(code, 5) === 2 && digitOf(code, 6) === 0 && digitOf(code, 7) === 0),
  CODES.filter(({ code }) => digitOf(code, 5) === 1),
];
const codesOf = (isPassing, n) => (isPassing && n < 2 ? codesAt[n] : CODES);

// The pawns of a list of codes, each with its number of codes.
function countedPawns(codes) {
  const counts = [];
  for (const { pawns } of codes) {
    if (counts.length && compareLists(counts.at(-1).pawns, pawns) === 0) counts.at(-1).count++;
    else counts.push({ pawns, count: 1n });
  }
  return counts;
}
const COUNTED = new Map([CODES, ...codesAt].map(codes => [codes, countedPawns(codes)]));

function filesOf(passing) {
  const files = [0, 1, 2, 3, 4, 5, 6, 7];
  if (!passing) return files;
  const pushed = passing >> 1, beside = passing & 1 ? pushed + 1 : pushed - 1;
  return [pushed, beside, ...files.filter(file => file !== pushed && file !== beside)];
}

const less = (left, pawns) => left.map((each, index) => each - pawns[index]);

// The number of ways to fill the files from the n-th on with [White's pawns, Black's, pairs].
function waysFrom(isPassing, n, left) {
  if (left.some(each => each < 0)) return 0n;
  if (n === 8) return left.every(each => each === 0) ? 1n : 0n;
  const passing = isPassing && n < 2;
  return keep('pawns', [passing ? 1 : 0, n, ...left], () => {
    let ways = 0n;
    for (const { pawns, count } of COUNTED.get(codesOf(passing, n)))
      ways += count * waysFrom(isPassing, n + 1, less(left, pawns));
    return ways;
  });
}

function pawnsNumber(shape, codes) {
  const isPassing = shape.passing > 0;
  let left = [...shape.pawns, shape.pairs], number = 0n;
  filesOf(shape.passing).forEach((file, n) => {
    for (const { code, pawns } of codesOf(isPassing, n)) {
      if (code === codes[file]) break;
      number += waysFrom(isPassing, n + 1, less(left, pawns));
    }
    left = less(left, classOfCode(codes[file]));
  });
  return number;
}

function pawnsOf(shape, number) {
  const isPassing = shape.passing > 0, codes = [];
  let left = [...shape.pawns, shape.pairs];
  filesOf(shape.passing).forEach((file, n) => {
    for (const { code, pawns } of codesOf(isPassing, n)) {
      const ways = waysFrom(isPassing, n + 1, less(left, pawns));
      if (number >= ways) { number -= ways; continue; }
      codes[file] = code;
      left = less(left, pawns);
      break;
    }
  });
  return codes;
}

// ----------------------------------------------------------------------------------------------------------------- kinds

const above = (count, most) => Math.max(0, count - most);

// Lists of knights, bishops, rooks and queens of `count` pieces, in order, with their excess and number of orders.
function materials(fixed, count) {
  return keep('materials', [fixed, count], () => {
    const lists = [], pieces = fixed ? count : count - 1;
    for (let n = 0; n <= pieces; n++) for (let b = 0; n + b <= pieces; b++) for (let r = 0; n + b + r <= pieces; r++) {
      const q = pieces - n - b - r, excess = above(n, 2) + above(b, 2) + above(r + fixed, 2) + above(q, 1);
      const orders = BigInt(fixed ? 1 : count) * choose(pieces, n) * choose(pieces - n, b) * choose(pieces - n - b, r);
      lists.push({ counts: [n, b, r, q], excess, orders });
    }
    return lists;
  });
}

// The number of orders of kinds with at most an excess, by number of fixed rooks and of pieces; and with exactly an excess.
const ORDERS = [0, 1, 2].map(fixed => Array.from({ length: PIECES + 1 }, (_, count) => {
  const sums = Array(PAWNS + 1).fill(0n);
  for (const { excess, orders } of materials(fixed, count)) for (let most = excess; most <= PAWNS; most++) sums[most] += orders;
  return sums;
}));
const ordersTo = (fixed, count, excess) => (excess < 0 ? 0n : ORDERS[fixed][count][excess]);
const ORDERS_OF = ORDERS.map(rows => rows.map(sums => sums.map((sum, excess) => sum - (sums[excess - 1] ?? 0n))));
const ordersOf = (fixed, count, excess) => ORDERS_OF[fixed][count][excess];

function promotionsLeft(shape) {
  const sides = [0, 1].map(side => shape.pawns[side] + shape.pieces[side] + FIXED_PIECES[shape.fixed[side]]);
  const captures = 32 - sides[0] - sides[1], taken = Math.max(0, 8 - shape.pairs - captures);
  return sides.some(count => count > PIECES) || taken > captures ? -1 : 16 - shape.pawns[0] - shape.pawns[1] - taken;
}

const mostBlackExcess = (shape, white) =>
  (white > PAWNS - shape.pawns[0] ? -1 : Math.min(promotionsLeft(shape) - white, PAWNS - shape.pawns[1]));

// The number of assignments of kinds in which White's excess is below a number.
function kindsBelow(shape, end) {
  const { fixed, pieces } = shape;
  let sum = 0n;
  for (let white = 0; white < end && mostBlackExcess(shape, white) >= 0; white++)
    sum += ordersOf(fixed[0], pieces[0], white) * ordersTo(fixed[1], pieces[1], mostBlackExcess(shape, white));
  return sum;
}
const kindsCount = shape => kindsBelow(shape, PAWNS + 1);

// `kinds` are the types of the pieces of a side, in the order of squares.
function sideNumber(kinds, fixed, excess) {
  const indices = kinds.map((_, index) => index), of = type => indices.filter(index => kinds[index] === type);
  const counts = [KNIGHT, BISHOP, ROOK, QUEEN].map(type => of(type).length);
  let number = fixed ? 0n : BigInt(kinds.indexOf(KING)), before = 0n, rest = indices.filter(index => kinds[index] !== KING);
  for (const each of materials(fixed, kinds.length)) {
    if (compareLists(each.counts, counts) === 0) break;
    if (each.excess === excess) before += each.orders;
  }
  for (const type of [KNIGHT, BISHOP, ROOK]) {
    number = number * choose(rest.length, of(type).length) + subsetNumber(of(type), rest);
    rest = rest.filter(index => kinds[index] !== type);
  }
  return before + number;
}

function sideOf(number, fixed, count, excess) {
  const material = materials(fixed, count).find(each => {
    if (each.excess !== excess) return false;
    if (number < each.orders) return true;
    number -= each.orders;
    return false;
  });
  const parts = [];
  let room = material.counts[3];
  for (const place of [2, 1, 0]) {
    room += material.counts[place];
    parts[place] = number % choose(room, material.counts[place]);
    number /= choose(room, material.counts[place]);
  }
  const kinds = Array(count).fill(QUEEN);
  if (!fixed) kinds[Number(number)] = KING;
  let rest = kinds.map((_, index) => index).filter(index => kinds[index] !== KING);
  parts.forEach((part, place) => {
    const subset = subsetOf(part, material.counts[place], rest);
    for (const index of subset) kinds[index] = KNIGHT + place;
    rest = rest.filter(index => !subset.includes(index));
  });
  return kinds;
}

const excessOf = (kinds, fixed) => [[KNIGHT, 2, 0], [BISHOP, 2, 0], [ROOK, 2, fixed], [QUEEN, 1, 0]]
  .reduce((sum, [type, most, more]) => sum + above(kinds.filter(kind => kind === type).length + more, most), 0);

// Null if no game leads to the kinds.
function kindsNumber(shape, kinds) {
  const { fixed, pieces } = shape, [white, black] = [0, 1].map(side => excessOf(kinds[side], fixed[side]));
  if (black > mostBlackExcess(shape, white)) return null;
  const before = kindsBelow(shape, white) + ordersOf(fixed[0], pieces[0], white) * ordersTo(fixed[1], pieces[1], black - 1);
  const first = sideNumber(kinds[0], fixed[0], white), second = sideNumber(kinds[1], fixed[1], black);
  return before + first * ordersOf(fixed[1], pieces[1], black) + second;
}

function kindsOf(shape, number) {
  const { fixed, pieces } = shape;
  let white = 0, black = 0;
  while (kindsBelow(shape, white + 1) <= number) white++;
  number -= kindsBelow(shape, white);
  while (ordersOf(fixed[0], pieces[0], white) * ordersTo(fixed[1], pieces[1], black) <= number) black++;
  number -= ordersOf(fixed[0], pieces[0], white) * ordersTo(fixed[1], pieces[1], black - 1);
  const radix = ordersOf(fixed[1], pieces[1], black);
  return [sideOf(number / radix, fixed[0], pieces[0], white), sideOf(number % radix, fixed[1], pieces[1], black)];
}

// ---------------------------------------------------------------------------------------------------------------- groups

const CLASSES = [];
for (let white = 0; white <= PAWNS; white++) for (let black = 0; black <= PAWNS; black++)
  for (let pairs = 0; pairs <= Math.min(white, black); pairs++) CLASSES.push([white, black, pairs]);

const squaresLeft = ({ pawns, fixed, passing }) =>
  64 - pawns[0] - pawns[1] - FIXED_PIECES[fixed[0]] - FIXED_PIECES[fixed[1]] - (passing ? 2 : 0);

function groupSize(shape) {
  const squares = squaresLeft(shape), kinds = promotionsLeft(shape) < 0 ? 0n : kindsCount(shape);
  return kinds && kinds * choose(squares, shape.pieces[0]) * choose(squares - shape.pieces[0], shape.pieces[1]);
}

const pawnWays = shape => waysFrom(shape.passing > 0, 0, [...shape.pawns, shape.pairs]);

// The numbers of positions before each pair of numbers of pieces, and of all, for one placement of the pawns.
function sizesBefore(shape) {
  return keep('sizes', [...shape.fixed, ...shape.pawns, shape.pairs, shape.passing ? 1 : 0], () => {
    const sums = [0n];
    for (let white = 0; white <= PIECES; white++) for (let black = 0; black <= PIECES; black++)
      sums.push(sums.at(-1) + groupSize({ ...shape, pieces: [white, black] }));
    return sums;
  });
}
const sizeOfAll = shape => sizesBefore(shape).at(-1) * pawnWays(shape);

// The numbers of positions before each class of pawns, and of all, for the fixed pieces.
function classesBefore(fixed) {
  return keep('classes', fixed, () => {
    const sums = [0n];
    for (const [white, black, pairs] of CLASSES) {
      const shape = { fixed, pawns: [white, black], pairs, passing: 0 };
      sums.push(sums.at(-1) + sizeOfAll(shape) + 14n * sizeOfAll({ ...shape, passing: 1 }));
    }
    return sums;
  });
}

const castlingSize = (white, black) => classesBefore([fixedRooks(white), fixedRooks(black)]).at(-1);
const castlingsBefore = () => keep('castlings', [], () => {
  const sums = [0n];
  for (let white = 0; white < 113; white++)
    for (let black = 0; black < 113; black++) sums.push(sums.at(-1) + castlingSize(white, black));
  return sums;
});

function positionsBefore(shape) {
  const group = CLASSES.findIndex(each => compareLists(each, [...shape.pawns, shape.pairs]) === 0);
  let number = castlingsBefore()[shape.castling[0] * 113 + shape.castling[1]] + classesBefore(shape.fixed)[group];
  if (shape.passing) number += sizeOfAll({ ...shape, passing: 0 }) + BigInt(shape.passing - 1) * sizeOfAll(shape);
  return number + sizesBefore(shape)[shape.pieces[0] * 17 + shape.pieces[1]] * pawnWays(shape);
}

// The last index of which the sum is at most a number.
const lastAtMost = (sums, number) => sums.findLastIndex(sum => sum <= number);

function shapeAt(number) {
  const castlings = lastAtMost(castlingsBefore(), number), castling = [Math.floor(castlings / 113), castlings % 113];
  const fixed = castling.map(fixedRooks);
  number -= castlingsBefore()[castlings];
  const group = lastAtMost(classesBefore(fixed), number), [white, black, pairs] = CLASSES[group] ?? [];
  if (white === undefined) throw new RangeError('no position');
  number -= classesBefore(fixed)[group];
  const shape = { castling, fixed, pawns: [white, black], pairs, passing: 0 }, quiet = sizeOfAll(shape);
  if (number >= quiet) {
    const pushed = sizeOfAll({ ...shape, passing: 1 });
    shape.passing = 1 + Number((number - quiet) / pushed);
    number = (number - quiet) % pushed;
  }
  const index = lastAtMost(sizesBefore(shape).map(size => size * pawnWays(shape)), number);
  shape.pieces = [Math.floor(index / 17), index % 17];
  return { shape, number: number - sizesBefore(shape)[index] * pawnWays(shape) };
}

// ------------------------------------------------------------------------------------------------------------- positions

function turned(position) {
  const other = copyOf(position);
  position.board.forEach((piece, square) => { other.board[square ^ 56] = piece === EMPTY ? EMPTY : (piece + 6) % 12; });
  other.rooks = [position.rooks[BLACK], position.rooks[WHITE]].map(pair => pair.map(rook => (rook === NONE ? NONE : rook ^ 56)));
  other.passed = position.passed === NONE ? NONE : position.passed ^ 56;
  other.side = 1 - position.side;
  return other;
}

function passingOf(position) {
  if (!seemsPossible(position)) return 0;
  const file = fileOf(position.passed), left = file > 0 && position.board[squareAt(file - 1, 4)] === PAWN;
  return 2 * file + (left ? 0 : 1);
}

function fileCodes(position) {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(file => [7, 6, 5, 4, 3, 2].reduce((code, rank) => {
    const piece = position.board[squareAt(file, rank - 1)];
    return 3 * code + (piece === PAWN ? 1 : piece === 6 + PAWN ? 2 : 0);
  }, 0));
}

function freeSquares(position, passing) {
  const taken = new Set(fixedSquares(position));
  if (passing) taken.add(squareAt(passing >> 1, 5)).add(squareAt(passing >> 1, 6));
  return Array.from({ length: 64 }, (_, square) => square)
    .filter(square => !taken.has(square) && (position.board[square] === EMPTY || typeOf(position.board[square]) !== PAWN));
}

function place(position) {
  const codes = fileCodes(position), passing = passingOf(position), free = freeSquares(position, passing);
  const isOf = (square, side) => position.board[square] !== EMPTY && colourOf(position.board[square]) === side;
  const squares = [WHITE, BLACK].map(side => free.filter(square => isOf(square, side)));
  const castling = [WHITE, BLACK].map(side => castlingOf(position, side)), classes = codes.map(classOfCode);
  const total = index => classes.reduce((sum, each) => sum + each[index], 0);
  const shape = {
    castling, fixed: castling.map(fixedRooks), pawns: [total(0), total(1)], pairs: total(2), passing,
    pieces: squares.map(each => each.length),
  };
  const kinds = kindsNumber(shape, squares.map(each => each.map(square => typeOf(position.board[square]))));
  if (kinds === null) return null;
  const rest = free.filter(square => !squares[0].includes(square));
  let number = pawnsNumber(shape, codes) * choose(free.length, squares[0].length) + subsetNumber(squares[0], free);
  number = number * choose(rest.length, squares[1].length) + subsetNumber(squares[1], rest);
  return positionsBefore(shape) + number * kindsCount(shape) + kinds;
}

export function positionNumber(position) {
  const number = place(position.side === WHITE ? position : turned(position));
  if (number === null) return null;
  return digits((number * 2n + BigInt(position.side)) * CLOCKS + BigInt(clockOf(position)), 160);
}

function putFixed(position, castling) {
  castling.forEach((number, side) => {
    if (!number) return;
    const [king, ...rooks] = CASTLINGS[number];
    position.board[squareAt(king, 7 * side)] = 6 * side + KING;
    rooks.forEach((file, index) => {
      if (file === 8) return;
      position.board[squareAt(file, 7 * side)] = 6 * side + ROOK;
      position.rooks[side][index] = squareAt(file, 7 * side);
    });
  });
}

function putPawns(position, codes) {
  codes.forEach((code, file) => {
    for (let rank = 2; rank <= 7; rank++)
      if (digitOf(code, rank)) position.board[squareAt(file, rank - 1)] = digitOf(code, rank) === 1 ? PAWN : 6 + PAWN;
  });
}

export function readPositionNumber(bits) {
  let number = BigInt('0b' + bits);
  const clock = Number(number % CLOCKS), side = Number(number / CLOCKS % 2n);
  const found = shapeAt(number / CLOCKS / 2n), { shape } = found;
  const position = emptyPosition(), squares = squaresLeft(shape), rest = squares - shape.pieces[0];
  number = found.number;
  const kinds = kindsOf(shape, number % kindsCount(shape));
  number /= kindsCount(shape);
  const black = number % choose(rest, shape.pieces[1]), both = number / choose(rest, shape.pieces[1]);
  putFixed(position, shape.castling);
  putPawns(position, pawnsOf(shape, both / choose(squares, shape.pieces[0])));
  if (shape.passing) position.passed = squareAt(shape.passing >> 1, 5);
  const free = freeSquares(position, shape.passing);
  const white = subsetOf(both % choose(squares, shape.pieces[0]), shape.pieces[0], free);
  white.forEach((square, index) => { position.board[square] = kinds[0][index]; });
  subsetOf(black, shape.pieces[1], free.filter(square => !white.includes(square)))
    .forEach((square, index) => { position.board[square] = 6 + kinds[1][index]; });
  const result = side ? turned(position) : position;
  result.clock = clock;
  return result;
}
