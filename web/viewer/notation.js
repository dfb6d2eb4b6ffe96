/* SPDX-License-Identifier: MIT */
// A game's moves in rows of two, with comments and variations between them.

import { el } from '../base/dom.js';
import { figures, figuresButton, isSettings } from './figures.js';
import { clock, comment, evaluation, moveNumber, nag } from '../base/words.js';

const at = (items, ply) => (items ?? []).filter((item) => item.ply === ply);

/** Returns the data of a line: of the game (variation null), or of the variation with that number. Plies count from 1. */
export function lineOf(game, variation) {
  if (variation === null) return { first: 1, san: game.san, uci: game.uci, comments: game.comments, nags: game.nags };
  const one = game.variations[variation];
  return { first: one.ply, san: one.san, uci: one.uci, comments: one.comments, nags: one.nags };
}

const place = (ply, variation) => `${variation ?? 'main'}.${ply}`;

function moveLink(game, options, line, variation, ply) {
  const san = line.san[ply - line.first];
  const glyphs = at(line.nags, ply).map((one) => nag(one.nag));
  const joined = glyphs.map((glyph) => (/^[!?□]/.test(glyph) ? glyph : ` ${glyph}`)).join('');
  return el('a', { class: 'move', href: options.href(ply, variation), 'data-at': place(ply, variation) }, san, glyphs.length > 0 && el('span', { class: 'nag' }, joined));
}

const texts = (line, ply) => at(line.comments, ply).map((one) => comment(one.text)).filter(Boolean);

/** Returns the buttons for the figures that engines wrote as comments of a move. */
const figuresAt = (line, ply) => texts(line, ply).map(figures).filter(Boolean).flatMap(figuresButton);

function remark(text) {
  if (isSettings(text)) return el('details', { class: 'comment' }, el('summary', {}, 'Settings of the programs'), text);
  return el('span', { class: 'comment' }, text);
}

/** Returns the comments of a move, without figures of engines. */
function remarks(line, ply) {
  return texts(line, ply).map((text) => { const found = figures(text); return found ? found.rest : text; }).filter(Boolean).map(remark);
}

/** Returns the variations that replace the move `ply` of a line: those that begin there and belong to that line. */
function variationsAt(game, options, within, ply) {
  return (game.variations ?? []).flatMap((one, i) => (one.ply === ply && (one.within ?? null) === within ? [variation(game, options, i)] : []));
}

const yours = () => el('span', { class: 'yours', title: 'Your variation: stored in this browser, not in the archive' }, 'yours');

function variation(game, options, number) {
  const line = lineOf(game, number);
  const { own, within = null } = game.variations[number];
  const first = own && !game.variations[within]?.own; // of variations within it, it is clear
  const nodes = line.san.flatMap((_, i) => {
    const ply = line.first + i;
    const deeper = variationsAt(game, options, number, ply);
    const before = i > 0 && variationsAt(game, options, number, ply - 1).length + remarks(line, ply - 1).length > 0;
    const numbered = i === 0 || (ply + options.shift) % 2 || before;
    return [numbered ? el('span', { class: 'number' }, moveNumber(ply + options.shift)) : '', moveLink(game, options, line, number, ply), ' ',
      ...figuresAt(line, ply).flatMap((node) => [node, ' ']), ...remarks(line, ply).flatMap((node) => [node, ' ']), ...deeper];
  });
  const after = variationsAt(game, options, number, line.first + line.san.length); // the user's moves after the last move
  return el('div', { class: own ? 'variation own' : 'variation' }, first && yours(), ...remarks(line, line.first - 1), ...nodes, ...after);
}

function extras(game, ply) {
  const [seconds, value] = [game.clocks?.[ply - 1], game.evals?.[ply - 1]];
  const has = (one) => one !== null && one !== undefined;
  return [has(value) ? el('span', { class: 'evaluation', title: 'evaluation in the game' }, evaluation(value)) : '',
    has(seconds) ? el('span', { class: 'clock', title: 'time left' }, clock(seconds)) : ''];
}

function half(game, options, line, ply) {
  return el('div', { class: 'half', 'data-ply': ply }, moveLink(game, options, line, null, ply), ...extras(game, ply), ...figuresAt(line, ply));
}

/** Creates the main line with comments and variations. options: shift, the number of plies by which the game's first
 * move is later than White's first; href(ply, variation), the address of a move; variation null is the main line. */
export function notation(game, options) {
  const line = lineOf(game, null);
  const body = el('div', { class: 'notation', role: 'group', 'aria-label': 'Moves' }, el('p', { class: 'aside' }, ...remarks(line, 0)));
  if (!body.firstChild.firstChild) body.replaceChildren();
  let row = null;
  line.san.forEach((_, i) => {
    const ply = i + 1;
    const white = (ply + options.shift) % 2 === 1;
    if (white || !row) {
      row = el('div', { class: 'row' }, el('span', { class: 'number' }, moveNumber(ply + options.shift)), white ? null : el('div', { class: 'half gap' }, '…'));
      body.append(row);
    }
    row.append(half(game, options, line, ply));
    const aside = [...remarks(line, ply), ...variationsAt(game, options, null, ply)];
    if (aside.length > 0) {
      body.append(el('div', { class: 'aside' }, ...aside));
      row = null;
    }
  });
  const after = variationsAt(game, options, null, line.san.length + 1);
  if (after.length > 0) body.append(el('div', { class: 'aside' }, ...after));
  body.append(el('p', { class: 'ending' }, game.result));
  return body;
}

/** Marks the move that is shown, and returns its element; null if there is none. */
export function mark(body, ply, variation) {
  body.querySelector('[aria-current]')?.removeAttribute('aria-current');
  const move = body.querySelector(`[data-at="${place(ply, variation)}"]`);
  move?.setAttribute('aria-current', 'step');
  return move;
}

/** Shows the engine's evaluations beside the moves, unless the game has its own, and the glyphs of moves that lost. evals:
 * by ply, from ply 0; marks: {ply, kind, glyph}. Replaces those shown before. */
export function markMoves(body, evals, marks) {
  for (const old of body.querySelectorAll('.judged, .evaluation.engine')) old.remove();
  for (const half of body.querySelectorAll('.half[data-ply]')) {
    const ply = Number(half.dataset.ply);
    const [found, value] = [marks.find((one) => one.ply === ply), evals[ply]];
    if (found && !half.querySelector('.nag')) half.querySelector('.move').append(el('span', { class: `nag judged ${found.kind}`, title: found.kind }, found.glyph));
    if (value !== null && value !== undefined && !value.over && !half.querySelector('.evaluation')) {
      half.insertBefore(el('span', { class: 'evaluation engine', title: 'evaluation of the engine' }, evaluation(value)), half.querySelector('.clock'));
    }
  }
}
