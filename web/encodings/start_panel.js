/* SPDX-License-Identifier: MIT */
// Ways to a position or a game: examples, a PGN, a board to set up a position.

import { el } from '../base/dom.js';
import { fromPgn } from '../study/pgn.js';
import { onward } from '../study/move_tree.js';
import { INITIAL, isPlacement, squares } from '../base/rules.js';
import { toSubFen } from '../base/pattern.js';
import { createSetup } from '../search/setup.js';
import { EXAMPLES } from './examples.js';

/** Shows links to examples. href(fen, ucis) is the address of a line. */
const examples = (href) => el('details', { class: 'start' }, el('summary', {}, 'Examples'), el('ul', { class: 'examples' },
  ...EXAMPLES.map(([name, play, fen]) => el('li', {}, el('a', { class: 'pill', href: href(fen ?? INITIAL, play.split(',')) }, name)))));

/** Returns the start and the main line of a PGN, or of moves; null if there are none. */
export function lineOfText(text) {
  if (isPlacement(text.trim())) return { fen: text.trim(), line: [], problems: [] };
  const game = fromPgn(text);
  return game && { fen: game.tree.fen, line: onward(game.tree, []), problems: game.problems };
}

function paste(open) {
  const area = el('textarea', { rows: 4, 'aria-label': 'PGN, moves or a FEN', placeholder: '1. e4 e5 2. Nf3 Nc6', spellcheck: 'false' });
  const problem = el('p', { class: 'hint', role: 'status' });
  const form = el('form', { class: 'paste-game' }, area, el('button', { type: 'submit' }, 'Open'), problem);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const found = lineOfText(area.value);
    const wrong = found?.problems.length ? `${found.problems[0]} is not a legal move: the game is shown up to it.` : '';
    problem.textContent = found && (found.line.length > 0 || !found.problems.length) ? wrong : 'There are no legal moves in this text.';
    if (found && (found.line.length > 0 || !found.problems.length)) open(found.fen, found.line);
  });
  return el('details', { class: 'start' }, el('summary', {}, 'Paste a game'), form);
}

const RIGHTS = [['K', 'White O-O'], ['Q', 'White O-O-O'], ['k', 'Black O-O'], ['q', 'Black O-O-O']];

/** Returns the FEN of a set-up: its placement has '.' for empty squares. */
export const fenOfSetup = (placement, side, rights) => `${placement.replace(/\.+/g, (run) => String(run.length))} ${side} ${rights || '-'} - 0 1`;

/** Creates the form with the board to set up a position, when it is opened for the first time. */
function setUp(current, open) {
  const box = el('details', { class: 'start' }, el('summary', {}, 'Set up a position'));
  const build = () => {
    const side = el('select', { 'aria-label': 'Side to move' }, el('option', { value: 'w' }, 'White to move'), el('option', { value: 'b' }, 'Black to move'));
    const setup = createSetup(() => {}, (turn) => { side.value = turn; }, 'complete');
    const boxes = RIGHTS.map(([letter, name]) => el('label', { class: 'pill' }, el('input', { type: 'checkbox', value: letter }), name));
    const form = el('form', {}, setup.element, el('div', { class: 'setup-rights' }, side, ...boxes), el('button', { type: 'submit', class: 'primary' }, 'Show its codes'));
    const fen = current();
    setup.set(toSubFen(squares(fen).map((piece) => piece || '.')));
    side.value = fen.split(' ')[1] === 'b' ? 'b' : 'w';
    for (const one of boxes) one.firstChild.checked = (fen.split(' ')[2] ?? '').includes(one.firstChild.value);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      open(fenOfSetup(setup.get(), side.value, boxes.map((one) => one.firstChild).filter((input) => input.checked).map((input) => input.value).join('')), []);
    });
    return form;
  };
  box.addEventListener('toggle', () => { if (box.open) box.replaceChildren(box.firstChild, build()); });
  return box;
}

/** Creates the panel. options: href(fen, ucis); open(fen, ucis); current(), the FEN that is shown. */
export const startPanel = ({ href, open, current }) => el('div', { class: 'starts' }, examples(href), paste(open), setUp(current, open));
