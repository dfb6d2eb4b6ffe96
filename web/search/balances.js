/* SPDX-License-Identifier: MIT */
// Material balance: ranges of White's number of pieces minus Black's, and the rules for them (doc/reference/search.md).

/** The rows of the form: the letters of White's pieces, and a label. */
export const PIECES = { Q: 'Queens', R: 'Rooks', B: 'Bishops', N: 'Knights', BN: 'Bishops and knights', P: 'Pawns' };

const equal = (...letters) => letters.map((letter) => `${letter}:0`);

/** Balances that have names: {name, values of the form}. */
export const BALANCES = [
  ['A pawn up', [...equal('Q', 'R', 'BN'), 'P:1']],
  ['The exchange up: rook for minor piece', [...equal('Q'), 'R:1', 'BN:-1']],
  ['A piece for three pawns', [...equal('Q', 'R'), 'BN:1', 'P:-3']],
  ['Queen for two rooks', ['Q:1', 'R:-2', ...equal('BN')]],
  ['Queen for rook and minor piece', ['Q:1', 'R:-1', 'BN:-1']],
  ['Rook for two minor pieces', [...equal('Q'), 'R:1', 'BN:-2']],
  ['Bishop for knight', [...equal('Q', 'R'), 'B:1', 'N:-1']],
].map(([name, rows]) => ({ name, values: { difference: rows.join(',') } })).concat([{ name: 'Opposite-coloured bishops', values: { difference: [...equal('Q', 'R'), 'N:0'].join(','), opposite: '1' } }]);

/** Joins two numbers as texts to a range: "1", "1..", "..-1", "1..2"; '' if both are empty. */
export function rangeOf(least, most) {
  if (least === '' && most === '') return '';
  return least === most ? least : `${least}..${most}`;
}

/** Splits a range or a number into two texts; null if it is neither. */
export function ends(range) {
  const [, least, dots, most] = /^(-?\d*)(\.\.)?(-?\d*)$/.exec(String(range)) ?? [null, ''];
  if (dots) return [least, most];
  return /^-?\d+$/.test(least ?? '') && most === '' ? [least, least] : null;
}

const value = (range) => (/^-?\d+$/.test(range) ? Number(range) : range);

/** Returns the ranges of a text such as "R:1,BN:-1": a map by letters. */
export const rangesOf = (text) => new Map((text ?? '').split(',').map((one) => one.split(':')).filter(([of, range]) => PIECES[of] && ends(range ?? '')));

/** Returns the condition of the form's values; null if they select nothing. */
export function balanceRule({ difference = '', balance = '', opposite = '', lasting = '', balanceflip = '' }) {
  const differences = [...rangesOf(difference)].map(([of, range]) => ({ difference: { of, minus: of.toLowerCase(), n: value(range) } }));
  const rules = { ...(differences.length === 1 && differences[0]), ...(balance && { balance: value(balance) }), ...(opposite && { 'opposite-bishops': true }),
    ...(differences.length > 1 && { all: differences }) };
  if (Object.keys(rules).length === 0) return null;
  return { ...(balanceflip && { flipcolor: true }), ...(lasting && { for: Number(lasting) }), ...rules };
}

function rangeText(n) {
  const both = ends(n ?? '1..');
  return both && rangeOf(...both);
}

/* Returns "R:1" of a rule; null if the form has no row for it. */
function rowOf({ of, minus, n, ...rest }) {
  const range = rangeText(n);
  return PIECES[of] && minus === of.toLowerCase() && range && Object.keys(rest).length === 0 ? `${of}:${range}` : null;
}

const KEYS = ['flipcolor', 'for', 'difference', 'balance', 'opposite-bishops', 'all'];

/** Returns the form's values of a condition; null if the form does not have it. */
export function balanceOf(condition) {
  const { difference, all = [], balance, for: lasting } = condition;
  const rules = [...(difference ? [{ difference }] : []), ...(Array.isArray(all) ? all : [null])];
  if (Object.keys(condition).some((key) => !KEYS.includes(key)) || !rules.every((one) => one && Object.keys(one).join() === 'difference')) return null;
  const rows = rules.map((one) => (Array.isArray(one.difference) || one.difference === null ? null : rowOf(one.difference)));
  const points = balance === undefined ? '' : rangeText(balance);
  if (rows.includes(null) || points === null || condition['opposite-bishops'] === false || (rows.length === 0 && !points && !condition['opposite-bishops'])) return null;
  return { difference: rows.join(','), balance: points, opposite: condition['opposite-bishops'] ? '1' : '', lasting: lasting ? String(lasting) : '', balanceflip: condition.flipcolor ? '1' : '' };
}
