/* SPDX-License-Identifier: MIT */
// One game: its moves, clocks, evaluations, comments and variations. Its address is #/game/ID?ply=12. line=2 selects a
// ply of a variation. fen= instead of ply selects the first ply with that position. A move that differs begins a variation of
// the user (own_lines.js).

import { announce, byId, el, fillWhenThere, shown } from '../base/dom.js';
import { format, replace } from '../base/address.js';
import { isCompact, watchCompact } from '../base/compact.js';
import { openingAt, openingName } from '../base/openings.js';
import { file, game as fetchGame, line as fetchLine, novelty } from '../base/api.js';
import { judge } from '../base/chances.js';
import { createGameAnalysis } from '../engine/engine.js';
import { gameChart } from './game_chart.js';
import { INITIAL, legalMoves, play, plyOf } from '../base/rules.js';
import { linkButton } from '../base/copy.js';
import { gameLink } from '../base/short_links.js';
import { keepInView } from '../base/follow.js';
import { message } from '../base/message.js';
import { linked } from './links.js';
import { createGameBar } from './game_bar.js';
import { lineOf, mark, markMoves, notation } from './notation.js';
import { createOwnBar } from './own_bar.js';
import { createNovelty, markNovelty, noveltyInWords } from './novelty.js';
import { previewFor } from '../board/preview.js';
import { sound } from './sound.js';
import { createLayer, marksOf } from '../board/marks.js';
import { hideColumn, reserveColumn, showBelow, showPlayers, showPosition } from '../board/column.js';
import { clock, date, evaluation, fileName, keptAsText, moveNumber, result } from '../base/words.js';

let game = null;
let parts = null;
let request = null;
let drawing = null; // arrows and circles of the comments
let state = { ply: 0, variation: null };

const address = (ply, variation = null) => format('game', { ply, line: variation }, parts.item);

/** Returns the positions of a line from the game's start. The plies before a variation are from the line that contains
 * it. */
function positions(variation) {
  if (variation === null) return { fens: game.fens, ucis: game.uci, complete: true };
  const one = game.variations[variation];
  const parent = positions(one.within ?? null);
  const own = parts.completed.get(variation) ?? play(parent.fens[one.ply - 1], one.uci);
  return { fens: [...parent.fens.slice(0, one.ply), ...own.fens.slice(1)], ucis: [...parent.ucis.slice(0, one.ply - 1), ...one.uci],
    complete: parent.complete && own.fens.length > one.uci.length };
}

/** Requests the positions of a variation that the rules play only in part. */
async function complete(variation, signal) {
  if (variation === null || positions(variation).complete) return;
  const { ply, uci, within } = game.variations[variation];
  await complete(within ?? null, signal);
  const start = positions(within ?? null).fens[ply - 1];
  parts.completed.set(variation, await fetchLine({ fen: start, play: uci.join(',') }, signal));
}

/** Shows the variation again when the server has completed it. */
function showComplete() {
  const { variation } = state;
  complete(variation, request.signal).then(() => { if (game && state.variation === variation) update(); }, () => {}); // its first moves are shown
}

function shift() {
  const fields = game.fens[0].split(' ');
  return 2 * ((Number(fields[5]) || 1) - 1) + (fields[1] === 'b' ? 1 : 0);
}

/** Returns a side's clock at a ply: the time left after its last move. */
function clockOf(side, ply) {
  for (let i = ply - 1; i >= 0; i -= 1) {
    const white = (i + shift()) % 2 === 0;
    const seconds = game.clocks?.[i];
    if (white === (side === 'white') && seconds !== null && seconds !== undefined) return clock(seconds);
  }
  return null;
}

const plate = (side, name, rating) => ({ name: name || '?', rating, clock: state.variation === null ? clockOf(side, state.ply) : null });

const pathHere = () => positions(state.variation).ucis.slice(0, state.ply);

/** Goes to a place of the game with the user's variations, which may have changed. */
function goTo(path) {
  game = parts.own.game;
  const { ply, variation } = parts.own.placeOf(parts.own.existing(path));
  drawMoves();
  replace(address(ply, variation));
}

const hasAnalyses = () => { try { return Object.keys(localStorage).some((key) => key.startsWith('analysis:')); } catch { return false; } };

/* Creates the user's variations. Their modules are only loaded if the browser stores analyses, or for the first move. */
async function loadOwn() {
  const { item, archive, answer } = parts;
  const { createOwnLines } = await import('./own_lines.js');
  if (answer === parts?.answer) parts.own ??= createOwnLines(answer, { id: item, archive, changed: changedElsewhere });
  return answer === parts?.answer ? parts.own : null;
}

/** Plays moves from the position that is shown. Moves that the game does not have become a variation of the user. Where the
 * rules of the browser do not reach (after a null move), the explorer shows the line. */
async function playLine(ucis) {
  if (!game) return; // it is not loaded
  const path = pathHere();
  try {
    const own = await loadOwn();
    if (!own) return;
    const to = own.placeOf([...path, ...ucis]) ? [...path, ...ucis] : await own.play(path, ucis, request.signal);
    if (own !== parts?.own) return; // another game is shown
    if (to) goTo(to);
    else location.hash = format('explore', { fen: game.fens[0] === INITIAL ? '' : game.fens[0], play: [...path, ...ucis].join(',') });
  } catch (error) {
    if (error.name === 'AbortError') return;
    message(error.message, { error: true });
    update(); // the piece returns
  }
}

const inOwn = () => Boolean(game.variations?.[state.variation]?.own);

function removeOwn() {
  if (!inOwn()) return false;
  announce('Deleted; Undo restores the moves');
  goTo(parts.own.remove(pathHere()));
  return true;
}

function travel(step, word) {
  const to = parts.own?.travel(step, pathHere());
  if (!to) return false;
  goTo(to);
  announce(word);
  return true;
}

/* Another tab has changed the user's variations. The place stays, as far as it exists. */
function changedElsewhere() {
  if (!parts?.own) return;
  goTo(pathHere());
  announce('Another tab has changed your variations');
}

/** Handles a key of this view. */
function key(event) {
  if (!game) return false;
  const letter = event.key.toLowerCase();
  if (event.ctrlKey || event.metaKey) {
    if (letter === 'z') return event.shiftKey ? travel('redo', 'Redone') : travel('undo', 'Undone');
    return letter === 'y' && travel('redo', 'Redone');
  }
  return ['Delete', 'Backspace'].includes(event.key) && removeOwn();
}

function showPly() {
  const { fens, ucis, complete: known } = positions(state.variation);
  if (!known) showComplete();
  const ply = Math.min(state.ply, fens.length - 1);
  const last = ply > 0 ? ucis[ply - 1] : null;
  const start = fens[0] === INITIAL ? '' : fens[0];
  const path = ucis.slice(0, ply);
  const leave = (move) => (move.uci === ucis[ply] ? replace(stepAddress(ply + 1)) : playLine([move.uci]));
  showPosition(fens[ply], { ply, length: ucis.length, step: (to) => replace(stepAddress(to)), play: leave,
    start: fens[0], ucis: path, playLine },
    { moves: legalMoves(fens[ply]), last: last && { from: last.slice(0, 2), to: last.slice(2, 4) } });
  const tags = game.tags;
  showPlayers(plate('white', tags.White, game.white_rating), plate('black', tags.Black, game.black_rating));
  drawing ??= createLayer(byId('board'));
  drawing.show(lineOf(game, state.variation).comments.filter((one) => one.ply === ply).flatMap((one) => marksOf(one.text)));
  showOpening();
  say(ply);
}

// Stepping back from the first move of a variation returns to the line that contains it.
function stepAddress(to) {
  if (state.variation === null || to >= game.variations[state.variation].ply) return address(to, state.variation);
  return address(to, game.variations[state.variation].within ?? null);
}

function say(ply) {
  const line = lineOf(game, state.variation);
  const san = line.san[ply - line.first];
  const value = state.variation === null ? game.evals?.[ply - 1] : null;
  announce(san ? `${moveNumber(ply + shift())} ${san}${value || value === 0 ? `, evaluation ${evaluation(value)}` : ''}` : 'Before the first move');
}

function explorer() {
  const { fens, ucis } = positions(state.variation);
  const ply = Math.min(state.ply, fens.length - 1);
  return format('explore', { fen: fens[0] === INITIAL ? '' : fens[0], play: ucis.join(','), ply: ply < ucis.length ? ply : null });
}

/* The address of the game as an analysis. Until the user has played a move, it is made when it is opened. */
const analysis = () => (parts.own?.study ? format('analysis', { play: pathHere().join(',') }, parts.own.study.entry.id) : format('analysis', { game: parts.item, archive: parts.archive, play: pathHere().join(',') }));

/** Returns the last ply that the game and the position have in common. */
function plyOfGame() {
  let ply = Math.min(state.ply, positions(state.variation).ucis.length);
  for (let at = state.variation; at !== null; at = game.variations[at].within ?? null) ply = Math.min(ply, game.variations[at].ply - 1);
  return ply;
}

/** Shows the opening of the position; before the first that has a name, the opening of the game. */
function showOpening() {
  const one = openingAt(game.openings, plyOfGame()) ?? openingAt(game.openings, Infinity);
  parts.opening.replaceChildren(...(one ? openingName(one) : []));
  parts.opening.title = one ? `${one.eco} ${one.name}` : '';
}

/** Makes the elements with the players, the opening, and the event. */
function heading() {
  const { tags } = game;
  const known = (text) => text && text !== '?' && text !== '-';
  const where = [tags.Event, tags.Site, known(tags.Round) && `round ${tags.Round}`, date({ date: tags.UTCDate ?? tags.Date })].filter(known);
  parts.title = el('h1', {}, `${tags.White || '?'} – ${tags.Black || '?'}`, ' ', el('span', { class: 'result' }, result(game)));
  parts.opening = el('p', { class: 'opening-line', hidden: game.openings.length === 0 });
  parts.summary = el('p', { class: 'summary' }, ...where.flatMap((text, i) => [i > 0 && ' · ', linked(text)]));
}

function tagTable() {
  const rows = Object.entries(game.tags).map(([tag, value]) => el('div', {}, el('dt', {}, tag), el('dd', {}, linked(value))));
  return el('details', { class: 'tags' }, el('summary', {}, `Tags (${rows.length})`), el('dl', {}, ...rows));
}

/* The short address of the place that is shown. Other browsers lack the user's variations: of these, where they begin. */
function shortLink() {
  let { ply, variation } = state;
  while (game.variations?.[variation]?.own) [ply, variation] = [game.variations[variation].ply - 1, game.variations[variation].within];
  return gameLink(game.id ?? parts.item, ply, variation);
}

function actions() {
  const named = { format: 'pgn', archive: parts.archive };
  parts.analyse = el('a', { class: 'button', href: analysis() }, 'Analyse');
  parts.explore = el('a', { class: 'button', href: explorer() }, 'Explore this position');
  return el('p', { class: 'links' }, parts.explore, parts.analyse,
    el('a', { class: 'button', href: file(`game/${encodeURIComponent(parts.item)}`, named), download: `${fileName(game.tags, game.number ?? parts.item)}.pgn` }, 'Save PGN'), linkButton(shortLink));
}

const isWhite = (ply) => (ply + shift()) % 2 === 1;

/* The chart shows the engine's evaluations if the game was analysed, otherwise those in its comments. */
function chart() {
  const evals = parts.analysis.evals() ?? (game.evals?.some((value) => value !== null) ? [null, ...game.evals] : null);
  return gameChart({ evals, clocks: game.clocks ? [null, ...game.clocks] : null, marks: evals && judge(evals, isWhite),
    san: game.san, shift: shift(), isWhite, href: (ply) => address(ply) }, state.ply, (ply) => replace(address(ply)));
}

function showAnalysis(evals) {
  parts.chart.replaceChildren(...[chart()].filter(Boolean));
  markMoves(parts.moves, evals, judge(evals, isWhite));
}

/** Goes one ply forward. Returns false at the end of the line. */
function advance() {
  if (!game || state.ply >= positions(state.variation).ucis.length) return false;
  replace(stepAddress(state.ply + 1));
  return true;
}

/** Creates the line about the new move of the game. */
function noveltyLine() {
  const { signal } = request;
  const found = (answer) => { parts.newMove = answer; markNovelty(parts.moves, answer); };
  return createNovelty(() => novelty(parts.item, { archive: parts.archive }, signal), (answer) => noveltyInWords(answer, game.san[answer.ply - 1], answer.ply + shift()), found);
}

/* Draws the moves again, after the user's variations have changed. */
function drawMoves() {
  const { moves } = parts;
  const top = moves.scrollTop;
  moves.replaceChildren(notation(game, { shift: shift(), href: address }));
  if (parts.newMove) markNovelty(moves, parts.newMove);
  const evals = parts.analysis.evals();
  if (evals) markMoves(moves, evals, judge(evals, isWhite));
  moves.scrollTop = top;
}

previewFor('.notation a.move', async (link) => {
  const [line, ply] = link.dataset.at.split('.');
  const variation = line === 'main' ? null : Number(line);
  if (game) await complete(variation, request.signal).catch(() => {});
  return game && positions(variation).fens[Number(ply)];
});

/** Returns the elements in the order that fits the window. */
function order() {
  const { title, opening, summary, bar, actions: links, kept, novelty: first, analysis: engine, chart: curve, moves, ownBar, tags } = parts;
  const [before, after] = [[summary, bar.element, links, kept, first, engine.element, curve], [tags]];
  const all = isCompact() ? [title, opening, moves, ownBar.element, ...before, ...after] : [title, opening, ...before, moves, ownBar.element, ...after];
  return all.filter(Boolean);
}

function draw() {
  parts.bar?.stop();
  parts.bar = createGameBar(parts.item, advance);
  parts.moves = el('div', { class: 'moves' }, notation(game, { shift: shift(), href: address }));
  parts.novelty = noveltyLine();
  parts.analysis = createGameAnalysis({ key: `${parts.archive} ${parts.item}`, fen: game.fens[0], ucis: game.uci, isWhite }, showAnalysis);
  parts.chart = el('div', { class: 'evaluations' }, chart());
  parts.ownBar = createOwnBar({ undo: () => travel('undo', 'Undone'), remove: removeOwn });
  if (parts.analysis.evals()) showAnalysis(parts.analysis.evals());
  parts.kept = game.kept_as_text ? el('p', { class: 'hint' }, keptAsText(game.kept_as_text)) : null;
  [parts.actions, parts.tags] = [actions(), tagTable()];
  heading();
  return order();
}

function markMove() {
  keepInView(parts.moves, mark(parts.moves, state.ply, state.variation));
  parts.ownBar.show({ own: parts.own, path: pathHere(), inOwn: inOwn() });
}

function update() {
  parts.chart.replaceChildren(...[chart()].filter(Boolean));
  parts.explore.href = explorer();
  parts.analyse.href = analysis();
  showPly();
  markMove();
}

/** Returns the ply and variation of the address. */
function place(params) {
  const variation = /^\d+$/.test(params.line ?? '') && game.variations?.[Number(params.line)] ? Number(params.line) : null;
  if (params.fen) return { ply: Math.max(0, plyOf(game.fens, params.fen)), variation: null };
  return { ply: Math.max(0, Math.min(Number(params.ply) || 0, positions(variation).ucis.length)), variation };
}

/** Reports a game that the archives do not have, with links to continue with. */
function withWayOn(error) {
  if (error.status !== 404) throw error;
  throw Object.assign(error, { message: `There is no game “${parts.item}” in these archives.`, onward: [['Search games', '#/search'], ['Explore', '#/explore']] });
}

async function load(params, target) {
  request?.abort();
  request = new AbortController();
  const { signal } = request;
  showBelow();
  if (!target.querySelector('.notation')) reserveColumn();
  const fetched = fetchGame(parts.item, { archive: parts.archive }, signal).catch(withWayOn);
  const asked = hasAnalyses() ? Promise.all([fetched, import('./own_lines.js').catch(() => null)]) : fetched.then((answer) => [answer]);
  await fillWhenThere(target, asked, ([answer, module]) => {
    parts.answer = answer;
    parts.own = module?.createOwnLines(answer, { id: parts.item, archive: parts.archive, changed: changedElsewhere });
    game = parts.own?.game ?? answer;
    state = place(params);
    document.title = shown(`${game.tags.White ?? '?'} – ${game.tags.Black ?? '?'} – Stamma`);
    return draw();
  }, () => load(params, target));
  if (signal.aborted) return;
  if (game) { showPly(); markMove(); } else hideColumn(); // the board of the previous game
}

export const view = {
  title: 'Game',
  key,
  show(item, params, target) {
    const same = game && parts?.item === item && parts.archive === (params.archive ?? '');
    if (same) {
      const before = state;
      state = place(params);
      if (state.ply === before.ply + 1) sound(lineOf(game, state.variation).san[state.ply - lineOf(game, state.variation).first] ?? '');
      update();
      return;
    }
    parts?.analysis?.stop();
    parts?.bar?.stop();
    parts?.own?.close();
    game = null;
    parts?.unwatch();
    parts = { item, archive: params.archive ?? '', completed: new Map(), unwatch: watchCompact(() => { if (game) target.append(...order()); }) };
    load(params, target);
  },
  hide() {
    request?.abort();
    parts?.analysis?.stop();
    parts?.bar?.stop();
    parts?.own?.close();
    parts?.unwatch();
    drawing?.close();
    drawing = null;
    game = null;
    parts = null;
  },
};
