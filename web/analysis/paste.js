/* SPDX-License-Identifier: MIT */
// Opens pasted text: a FEN and moves in the view that is shown if it shows lines, otherwise in the explorer; games as analyses.

import { format, go, parse } from '../base/address.js';
import { message } from '../base/message.js';
import { INITIAL } from '../base/rules.js';
import { count } from '../base/words.js';
import { shownLine } from '../board/column.js';
import { blank, enter, enterAll, entryOf } from '../study/entries.js';
import { complaint, meaning, problemsInWords } from '../study/pasted.js';

/** The address of the list of analyses, or of a folder. */
export const listAddress = (folder = '') => format('analysis', { folder }, 'all');

const viewShown = () => parse(location.hash).view;

function openPosition(fen) {
  if (viewShown() === 'analysis') go(format('analysis', {}, enter(blank(fen), '').id));
  else go(format(viewShown() === 'encodings' ? 'encodings' : 'explore', { fen: fen === INITIAL ? '' : fen }));
}

function openLine({ from, ucis }) {
  const line = shownLine();
  if (from === 'here' && line) line.playLine(ucis);
  else if (line?.playStart) line.playStart(ucis);
  else go(format(['analysis', 'encodings'].includes(viewShown()) ? viewShown() : 'explore', { play: ucis.join(',') }));
}

/** Stores the games of a PGN, and shows the game, or the list of several. Returns a message, or ''; null if there
 * is no game. */
export function openGames(text, name = '') {
  const { entries, folder, problems, unkept } = enterAll(text, name);
  if (entries.length === 0) return null;
  go(entries.length === 1 ? format('analysis', {}, entries[0].id) : listAddress(folder));
  const full = unkept > 0 && `The browser’s storage is full: ${count(unkept)} of ${count(entries.length)} games are only kept until the page is closed. Save them as PGN.`;
  return [full, problems.length > 0 && problemsInWords(problems), !full && entries.length > 1 && `${count(entries.length)} games are stored as analyses`].filter(Boolean).join('. ');
}

function openOne(text) {
  const entry = entryOf(text, true);
  go(format('analysis', {}, entry.id));
  if (entry.kept === false) return 'The browser stores no more: this game is only kept until the page is closed. Save it as PGN.';
  return entry.problems.length > 0 ? problemsInWords(entry.problems) : '';
}

/** Opens a text. Returns {error} or {said}, messages, which may be ''. */
export function openText(text) {
  const found = meaning(text, shownLine()?.fen);
  if (found.kind === 'nothing') return { error: complaint(text) };
  if (found.kind === 'games') return { said: found.number === 1 ? openOne(text) : openGames(text) };
  if (found.kind === 'position') openPosition(found.fen);
  else openLine(found);
  return { said: found.wrong ? `${found.wrong} is not a legal move here. The moves before it are played.` : '' };
}

/** Opens a text that was pasted outside of fields, and shows the message. */
export function pasteText(text) {
  const { error, said } = openText(text);
  if (error || said) message(error ?? said, { error: Boolean(error) });
}
