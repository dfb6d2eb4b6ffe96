/* SPDX-License-Identifier: MIT */
// The form that decodes a number, bits or a text: the move, the game or the position that it means, or why it means nothing.

import { el } from '../base/dom.js';
import { decode } from '../base/api.js';
import { typedValue } from './code_bits.js';

const HINTS = { text: 'as printed above', position: 'number of bits : hexadecimal digits', game: 'hexadecimal digits' };

const hintOf = (info, bits) => (info.text ? HINTS.text : HINTS[info.of] ?? `65, 0x41${bits > 1 ? ` or ${bits} binary digits` : ''}`);

/** Shows what was decoded, with a link to it. */
function meaning(lines, { info }, options) {
  const [first] = lines;
  const words = info.of === 'position' && first?.white_king ? `white king ${first.white_king}, black king ${first.black_king}, castling ${first.castling}` : null;
  if (words) return [words];
  if (info.of === 'position') return [el('a', { href: options.positionHref(first.fen) }, first.fen)];
  if (info.of === 'game') return [el('a', { href: options.gameHref(lines.map((one) => one.uci)) }, lines.length > 0 ? lines.map((one) => one.san).join(' ') : 'a game without moves')];
  return [el('a', { href: options.moveHref(first.uci) }, first.san), ` (${first.uci})`];
}

/** Creates the form of a code. options: decodeAt, the parameters of the position (of the game's start for codes of games);
 * moveHref(uci), gameHref(ucis) and positionHref(fen). */
export function decodeForm(code, options) {
  const name = `decode-${code.name}`;
  const input = el('input', { id: name, placeholder: hintOf(code.info, code.bits), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' });
  const output = el('p', { class: 'decoded', role: 'status' });
  const form = el('form', { class: 'decode' }, el('label', { for: name }, 'Decode'), input, el('button', { type: 'submit' }, 'Decode'), output);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (!input.value.trim()) { input.focus(); return; }
    try {
      const lines = await decode({ ...options.decodeAt(code.info), codec: code.name, value: typedValue(input.value, code) });
      output.classList.remove('wrong');
      output.replaceChildren(...meaning(lines, code, options));
    } catch (error) {
      output.classList.add('wrong');
      output.replaceChildren(error.message.replace(`${code.name}: `, ''));
    }
  });
  return form;
}
