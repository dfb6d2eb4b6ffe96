/* SPDX-License-Identifier: MIT */
// The list of codes of a move or a position. An opened code has its fields, what it needs, and a form to decode another value.

import { several } from '../base/words.js';
import { el } from '../base/dom.js';
import { codeOf, digitsOf, isSum, needs, segments, terms } from './code_bits.js';
import { decodeForm } from './decode_form.js';

const COLOURS = 8; // of fields
const MOST = 256; // digits that are shown in the line of a code
const GROUPS = [['move', 'One move, independent of the position'], ['move in position', 'One move, given the position'],
  ['game', 'The game so far'], ['position', 'The position']];

const colour = (field) => (field < 0 ? 'field rest' : `field f${field % COLOURS}`);

/** Shows the digits of a code, coloured by field. */
function digits(code) {
  const pieces = segments(code);
  const shown = [];
  let left = MOST;
  for (const piece of pieces) {
    if (left <= 0) break;
    shown.push(el('span', { class: colour(isSum(code) ? -1 : piece.field), title: code.parts[piece.field]?.text }, piece.digits.slice(0, left)));
    left -= piece.digits.length;
  }
  return el('span', { class: 'digits' }, ...shown, left < 0 && ' …');
}

function size(code) {
  return code.missing ? '–' : `${code.bits} ${code.bits === 1 ? 'bit' : 'bits'}`;
}

function line(code) {
  return el('summary', {}, el('span', { class: 'code-name' }, code.name), el('span', { class: 'code-size' }, size(code)),
    code.missing ? el('span', { class: 'code-missing' }, `no code: ${code.missing}`) : digits(code),
    el('span', { class: 'code-value' }, code.value, ' ', code.value && el('code', {}, code.hex)), code.fallback && el('span', { class: 'code-fallback' }, 'fall-back'));
}

/** Shows a sum: 153 + 5 = 158. */
function sum(code) {
  const pieces = terms(code.parts).flatMap((part, i) => [i > 0 ? ' + ' : '', el('span', { class: colour(i) }, String(part.value))]);
  return el('p', { class: 'code-sum' }, ...pieces, ` = ${code.value}`);
}

function fieldRow(code, part, field) {
  const head = part.bits === 0 ? `${isSum(code) ? '+ ' : ''}${part.value}` : digitsOf(code, part);
  const value = part.bits > 1 && part.bits < 64 && !code.info.text && part.value !== null ? String(part.value) : '';
  return el('tr', {}, el('th', { scope: 'row' }, el('span', { class: colour(field) }, head)), el('td', { class: 'n' }, value), el('td', {}, part.text));
}

/** Shows the fields of a code. Of a game only those of its length and its last moves. */
function fields(code) {
  const most = code.info.of === 'game' ? 12 : Infinity;
  const all = code.parts.map((part, field) => [part, field]);
  const shown = all.length > most ? [all[0], ...all.slice(1 - most)] : all;
  const left = all.length - shown.length;
  return el('table', { class: 'code-fields' }, el('caption', { class: 'unseen' }, `Fields of ${code.name}`),
    el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, code.info.text ? 'Text' : isSum(code) ? 'Term' : 'Bits'), el('th', { scope: 'col', class: 'n' }, 'Value'), el('th', { scope: 'col' }, 'Meaning'))),
    el('tbody', {}, ...shown.flatMap(([part, field], i) => [i === 1 && left > 0 && el('tr', {}, el('td', { colspan: 3, class: 'hint' }, `… ${several(left, 'field')} of earlier moves`)), fieldRow(code, part, field)])));
}

const fact = (name, ...value) => el('div', {}, el('dt', {}, name), el('dd', {}, ...value));

function facts(code) {
  const { info } = code;
  return el('dl', { class: 'code-facts' },
    code.value && fact('Value', el('code', {}, code.value), ' = ', el('code', {}, code.hex)),
    !code.value && code.hex && fact('Bytes', el('code', {}, code.hex)),
    info.text && code.written && fact('Text', el('code', {}, code.written)),
    fact('Needs', needs(info)),
    code.fallback && fact('Fall-back', `used here: ${code.fallback}`),
    code.missing && fact('No code', code.missing),
    info.partial && fact('Partial', 'several moves may have the same code'),
    fact('Source', info.source || 'this library'));
}

function details(code, options) {
  return [el('p', { class: 'code-about' }, code.info.description), facts(code), isSum(code) && sum(code), code.parts.length > 0 && fields(code), decodeForm(code, options)].filter(Boolean);
}

/** Creates the list. `infos` are the encodings of /encodings, `answer` is that of /encode. options:
 * isOpen(name), toggled(name, isOpen), and those of decodeForm. */
export function codeList(infos, answer, options) {
  const item = (info) => {
    const code = codeOf(info, answer);
    const box = el('details', { class: 'code', 'data-code': code.name, open: options.isOpen(code.name) }, line(code));
    const fill = () => { if (box.open && !box.children[1]) box.append(el('div', { class: 'code-details' }, ...details(code, options))); };
    fill();
    box.addEventListener('toggle', () => { fill(); options.toggled(code.name, box.open); });
    return box;
  };
  return GROUPS.flatMap(([of, title]) => {
    const group = infos.filter((info) => info.of === of && info.encoding in answer.codes);
    return group.length > 0 ? [el('section', { class: `code-group${of === 'position' || of === 'game' ? ' long' : ''}`, 'aria-label': title }, el('h2', { class: of === 'position' && 'unseen' }, title), ...group.map(item))] : [];
  });
}
