/* SPDX-License-Identifier: MIT */
// The buttons that copy and save an analysis.

import { el } from '../base/dom.js';
import { format } from '../base/address.js';
import { file } from '../base/api.js';
import { copyText } from '../base/copy.js';
import { orientation } from '../board/column.js';
import { toPgn } from '../study/pgn.js';

const LINK = 2000; // largest length of a link that programs keep

function link(state, path, said) {
  const text = location.href.replace(/#.*/s, '') + format('analysis', { pgn: toPgn(state).replace(/\n/g, ' ').trim(), play: path.join(',') });
  if (text.length <= LINK) return text;
  said(`A link would have ${text.length} characters, more than many programs keep. Save the PGN instead.`);
  return null;
}

function pictureAddress({ fen, marks }, last) {
  const of = (length) => marks.filter((mark) => mark.length === length).join(',');
  return file('board.svg', { fen, arrows: of(5), circles: of(3), last: last === '0000' ? '' : last?.slice(0, 4), flip: orientation() === 'b' ? 1 : '' });
}

const copyButton = (name, make, said) => el('button', { type: 'button', 'data-copy': name, onclick: () => {
  const text = make();
  if (text !== null) copyText(name, text, said);
} }, `Copy ${name}`);

/** Creates a link that saves the PGN that make() returns. */
export const saveLink = (label, name, make) => el('a', { class: 'button', href: '#', download: name, onclick: (event) => {
  const target = event.currentTarget;
  target.href = URL.createObjectURL(new Blob([make()], { type: 'application/x-chess-pgn' }));
  setTimeout(() => URL.revokeObjectURL(target.href), 60000);
} }, label);

/** Creates the buttons. shown() returns {state, path, node}: the analysis, and the place and node that are shown. */
export function outputs(shown, said) {
  const picture = el('a', { class: 'button', href: '#', download: 'position.svg', onclick: (event) => {
    const { node, path } = shown();
    event.currentTarget.href = pictureAddress(node, path.at(-1));
  } }, 'Save picture');
  const copies = [copyButton('FEN', () => shown().node.fen, said), copyButton('PGN', () => toPgn(shown().state), said),
    copyButton('link', () => link(shown().state, shown().path, said), said)];
  return el('div', { class: 'outputs', role: 'group', 'aria-label': 'Copy and save' }, ...copies, picture, saveLink('Save PGN', 'analysis.pgn', () => toPgn(shown().state)));
}
