/* SPDX-License-Identifier: MIT */
// The bits of codes and their fields, from the answer of /encode.

const bitsOfHex = (digits) => [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');

/** Returns one code as {name, info, bits, units, unit, value, hex, parts, fallback, missing}: `units` are its digits, each of
 * `unit` bits (1, or 8 for the characters of a text); `value` and `hex` are its texts as decimal and hexadecimal numbers, ''
 * if they have no use; `missing` is why there is no code. */
export function codeOf(info, answer) {
  const { encoding: name } = info;
  const { codes } = answer;
  const value = codes[name];
  const code = { name, info, bits: codes.bits[name], parts: codes.parts[name] ?? [], fallback: answer.fallbacks?.[name] ?? '', missing: answer.missing[name] ?? '',
    unit: info.text ? 8 : 1, units: '', value: '', hex: '', written: value === null || value === undefined ? '' : String(value) };
  if (value === null || value === undefined) return { ...code, bits: 0, missing: code.missing || 'there is no code' };
  if (info.text) return { ...code, units: value };
  if (info.of === 'position') return { ...code, units: bitsOfHex(value.split(':')[1]).slice(0, code.bits), hex: `0x${value.split(':')[1].toUpperCase()}` };
  if (info.of === 'game') return { ...code, units: bitsOfHex(value), hex: value };
  const number = BigInt(value);
  return { ...code, units: code.bits ? number.toString(2).padStart(code.bits, '0') : '', value: String(number), hex: `0x${number.toString(16).toUpperCase()}` };
}

/** Returns the digits of a code in pieces, each with the number of its field: {digits, field}. Digits that no field has, as of
 * a sum of terms, have the field -1. */
export function segments({ units, unit, parts }) {
  const pieces = [];
  let done = 0;
  parts.forEach((part, field) => {
    const [from, to] = [part.first / unit, (part.first + part.bits) / unit];
    if (part.bits === 0 || to > units.length) return;
    if (from > done) pieces.push({ digits: units.slice(done, from), field: -1 });
    pieces.push({ digits: units.slice(from, to), field });
    done = to;
  });
  if (done < units.length) pieces.push({ digits: units.slice(done), field: -1 });
  return pieces;
}

/** Returns the fields that are terms of a sum. */
export const terms = (parts) => parts.filter((part) => part.bits === 0);

/** Returns whether the terms add up to the value of the code. In codes of games, terms are digits of another kind. */
export const isSum = ({ info, parts, value }) => info.of !== 'game' && terms(parts).length > 0 && terms(parts).reduce((sum, part) => sum + BigInt(part.value), 0n) === BigInt(value || -1);

/** Returns the digits of a field of a code. */
export const digitsOf = ({ units, unit }, part) => units.slice(part.first / unit, (part.first + part.bits) / unit);

/** Returns the value that /decode reads, from what was typed: digits of 0 and 1 are bits if they have as many digits as the
 * code has bits, and a number otherwise. */
export function typedValue(text, { info, bits }) {
  const plain = text.trim();
  if (info.text || info.of === 'position') return plain;
  if (info.of === 'game') return plain.replace(/^0x/i, '').replace(/\s/g, '').toLowerCase();
  const digits = plain.replace(/[\s_]/g, '');
  return /^[01]+$/.test(digits) && digits.length === bits && bits > 1 ? `0b${digits}` : digits;
}

/** Returns what a code needs beside its bits. */
export const needs = ({ of }) => ({ move: 'nothing: the code means the same in every position', 'move in position': 'the position', game: 'the start of the game and the moves before', position: 'nothing' })[of];
