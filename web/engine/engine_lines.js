/* SPDX-License-Identifier: MIT */
// The lines of an analysis: their scores and moves. A move can be played; while the pointer or the focus is on it, a small
// board shows the position after it.

import { el } from '../base/dom.js';
import { previewFor } from '../board/preview.js';
import { play } from '../base/rules.js';
import { evaluation, moveNumber } from '../base/words.js';
import { valueOf } from './engine.js';

const SHOWN = 24; // plies of a line

const sign = (line) => ((line.mate ?? line.eval_cp) < 0 ? 'black' : 'white');

function plyOf(fen) {
  const fields = fen.split(' ');
  return 2 * ((Number(fields[5]) || 1) - 1) + (fields[1] === 'b' ? 1 : 0);
}

/** Creates the list. playLine(ucis) is called with the moves up to the one that was chosen. Returns {element,
 * reserve(count), set(fen, lines)}. While the pointer or the focus is in the list, the list does not change. */
export function createLines(playLine) {
  const list = el('ol', { class: 'engine-lines', 'aria-label': 'Lines of the engine' });
  let [fen, lines, held, shown] = ['', [], false, null];

  function moveButton(line, i) {
    const ply = plyOf(fen) + i + 1;
    const number = i === 0 || ply % 2 ? el('span', { class: 'number' }, moveNumber(ply)) : null;
    return [number, el('button', { type: 'button', tabindex: i === 0 ? '0' : '-1', 'data-ply': i, 'aria-label': `${moveNumber(ply)} ${line.san[i]}` }, line.san[i])];
  }

  function row(line, i) {
    const moves = line.san.slice(0, SHOWN).flatMap((_, ply) => moveButton(line, ply)).filter(Boolean);
    return el('li', { 'data-line': i }, el('span', { class: `score ${sign(line)}` }, evaluation(valueOf(line))), el('span', { class: 'pv' }, ...moves));
  }

  const empty = () => el('li', { class: 'coming', 'aria-hidden': 'true' }, el('span', { class: 'score' }, ' '));

  function draw(count = lines.length) {
    if (held) return;
    shown = lines;
    list.replaceChildren(...lines.map(row), ...Array.from({ length: Math.max(0, count - lines.length) }, empty));
  }

  const movesUpTo = (button) => shown[button.closest('li').dataset.line].uci.slice(0, Number(button.dataset.ply) + 1);

  previewFor('.engine-lines button', (button) => {
    const ucis = movesUpTo(button);
    return play(fen, ucis).fens[ucis.length];
  });

  function release() {
    if (list.matches(':hover') || list.contains(document.activeElement)) return;
    held = false;
    if (shown !== lines) draw(list.children.length);
  }

  list.addEventListener('pointerenter', (event) => { held = event.pointerType === 'mouse' || held; });
  list.addEventListener('pointerleave', () => setTimeout(release));
  list.addEventListener('focusin', () => { held = true; });
  list.addEventListener('focusout', () => setTimeout(release));
  list.addEventListener('click', (event) => {
    const button = event.target.closest('button');
    if (!button) return;
    held = false;
    playLine(movesUpTo(button));
  });
  list.addEventListener('keydown', (event) => { // one Tab stop for each line
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const buttons = [...(event.target.closest('li')?.querySelectorAll('button') ?? [])];
    if (!step || buttons.length === 0) return;
    event.preventDefault(); // not a ply of the game
    buttons[Math.max(0, Math.min(buttons.length - 1, buttons.indexOf(event.target) + step))].focus();
  });

  return {
    element: list,
    reserve(count) { [lines, held] = [[], false]; draw(count); },
    set(position, next) { const count = list.children.length; [fen, lines] = [position, next]; draw(Math.max(count, next.length)); },
  };
}
