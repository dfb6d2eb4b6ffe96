/* SPDX-License-Identifier: MIT */
// The steps of a sequence: a row of the form, {by, kind, value}, and the condition that it means (doc/reference/search.md).

const SIDES = ['white', 'black'];
const MOVERS = ['move', 'captured', 'moved', 'promoted', 'castling', 'check', 'mate', 'any']; // kinds that `by` goes with

/** The kinds of steps: label, an example of a value, the reading of a text. A kind without an example has no value; one
 * with a list has a choice. */
export const KINDS = {
  move: { label: 'the move', example: 'Nxf7', title: 'Move in SAN or UCI; omitted parts may be anything' },
  moved: { label: 'a move of', example: 'Q', title: 'Letters of pieces: KQRBNP' },
  captured: { label: 'a capture of', example: 'QR', title: 'Letters of pieces: QRBNP' },
  promoted: { label: 'a promotion to', example: 'N', title: 'Letters of pieces: QRBN' },
  castling: { label: 'castling', choices: ['any', 'short', 'long'], title: 'Which castling' },
  check: { label: 'check' },
  mate: { label: 'mate' },
  any: { label: 'any move' },
  'sub-fen': { label: 'the position (part)', example: '8/8/4p3/3p4/3P4/8/8/8', title: 'Board field of a FEN; digits are squares with any contents', board: true },
  fen: { label: 'the position (FEN)', example: 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -', title: 'Complete FEN' },
  material: { label: 'the material', example: 'KRPKR', title: 'White’s pieces first' },
  json: { label: 'a condition as JSON', example: '{"nag": "!!"}', title: 'Any condition of doc/reference/search.md' },
};

/** Returns whether a step may name the side that moves. */
export const hasSide = (kind) => MOVERS.includes(kind);

function parseObject(text) {
  let value;
  try { value = JSON.parse(text); } catch (error) { throw new Error(`The condition of a step is not JSON: ${error.message}`); }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Error('The condition of a step is no JSON object, such as {"mate": true}.');
  return value;
}

/** Returns the condition of a step; null if the step has no value yet. Throws an error if its JSON is invalid. */
export function conditionOf({ by, kind, value }) {
  const text = (value ?? '').trim();
  const side = by && hasSide(kind) ? { by } : {};
  if (kind === 'json') return text ? parseObject(text) : null;
  if (kind === 'any') return by ? side : { ply: '1..' };
  if (kind === 'check' || kind === 'mate') return { ...side, [kind]: true };
  if (KINDS[kind].choices) return { ...side, [kind]: text || KINDS[kind].choices[0] };
  return text ? { ...side, [kind]: kind === 'material' ? text.replace(/\s/g, '') : text } : null;
}

function simple({ by, ...rest }) {
  const keys = Object.keys(rest);
  if (keys.length === 0 && by) return { by, kind: 'any', value: '' };
  const [kind] = keys;
  if (keys.length !== 1 || !Object.hasOwn(KINDS, kind) || ['any', 'json'].includes(kind) || (by && !hasSide(kind))) return null;
  const value = rest[kind];
  if (value === true) return KINDS[kind].example || KINDS[kind].choices ? null : { by: by ?? '', kind, value: '' };
  const fits = typeof value === 'string' && value.trim() === value && value !== '' && (KINDS[kind].choices?.includes(value) ?? KINDS[kind].example !== undefined);
  return fits ? { by: by ?? '', kind, value } : null;
}

/** Returns the step that means a condition. Conditions that no other kind has are JSON. */
export function stepOf(condition) {
  const { by } = condition;
  for (const side of SIDES) if (Object.keys(condition).join() === `${side}-move`) return { by: side, kind: 'move', value: String(condition[`${side}-move`]) };
  if (JSON.stringify(condition) === '{"ply":"1.."}') return { by: '', kind: 'any', value: '' };
  const step = by === undefined || SIDES.includes(by) ? simple(condition) : null;
  return step ?? { by: '', kind: 'json', value: JSON.stringify(condition) };
}
