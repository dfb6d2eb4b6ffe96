/* SPDX-License-Identifier: MIT */
// The engine below the board: a switch, the evaluation, the bar beside the board, lines, arrows and the threat. The engine
// stops while the tab is hidden, and when a view without a board is shown.

import { byId, el } from '../base/dom.js';
import { analyse } from '../base/api.js';
import { share } from '../base/chances.js';
import { hintAt, watchPosition } from '../board/column.js';
import { engineLimits, valueOf } from './engine.js';
import { createLines } from './engine_lines.js';
import { createThreat } from './threat.js';
import { evaluation } from '../base/words.js';

const LINES_MAX = 5;
const ARROWS = 3;
const WAIT = 150; // milliseconds before a position is analysed: stepping through a game starts no analyses
const SEEN_MAX = 500; // positions whose lines are kept

let on = false;
let paused = false;
let count = 3;
let at = null; // {fen, start, play, line}
let request = null;
let timer = null;
let parts = null;
let watcher = null;
const seen = new Map(); // lines by position and number

const keyOf = (position) => `${count} ${position.start} ${position.play}`;

function remember(key, update) {
  seen.delete(key);
  seen.set(key, update);
  if (seen.size > SEEN_MAX) seen.delete(seen.keys().next().value);
}

function short(n) {
  return n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1000 ? `${Math.round(n / 1000)} k` : `${n} `;
}

function showBar(value) {
  const part = value === null ? 0.5 : share(value);
  parts.bar.firstChild.style.height = `${(100 * part).toFixed(1)}%`;
  parts.bar.setAttribute('aria-label', value === null ? 'No evaluation' : `Evaluation ${evaluation(value)}`);
}

function say(text, button = null) {
  parts.state.replaceChildren(text);
  parts.again.hidden = button === null;
  if (button) parts.again.textContent = button;
}

function showLines(update) {
  const best = update.lines[0];
  showBar(valueOf(best));
  parts.score.textContent = evaluation(valueOf(best));
  parts.lines.set(at.fen, update.lines);
  hintAt(update.lines.slice(0, ARROWS).map((line) => line.uci[0]));
}

const speed = (update) => (update.nps > 0 ? ` · ${short(update.nps)}n/s` : '');

/* Shows lines unless deeper ones of the position are shown. The first line of an answer has the engine's name. */
function take(key, update) {
  if (update.engine) parts.name.textContent = update.engine;
  if (!update.lines?.length || (seen.get(key)?.depth ?? 0) > update.depth) return;
  remember(key, update);
  showLines(update);
  say(`depth ${update.depth}${speed(update)}`);
}

const ENDS = { mate: 'Checkmate', stalemate: 'Stalemate' };

function finish(end) {
  const update = seen.get(keyOf(at));
  if (ENDS[end]) {
    parts.score.textContent = end === 'mate' ? '#' : '0.00';
    showBar(end === 'mate' ? { mate: at.fen.split(' ')[1] === 'w' ? -1 : 1 } : 0);
    say(ENDS[end]);
  } else say(update ? `depth ${update.depth}, ${end === 'time' ? `stopped after ${engineLimits().time} s` : 'finished'}` : 'no line', 'Continue');
}

async function run() {
  const key = keyOf(at);
  const own = new AbortController();
  request = own;
  try {
    const last = await analyse({ fen: at.start, play: at.play, lines: count }, (update) => { if (request === own) take(key, update); }, own.signal);
    if (request === own) finish(last.end);
  } catch (error) {
    if (request === own && error.name !== 'AbortError') say(error.message, 'Try again');
  }
}

function stop() {
  clearTimeout(timer);
  request?.abort();
  request = null;
}

/* Analyses the position from now on, if the engine is on. */
function restart() {
  stop();
  if (on && at && !paused && !document.hidden) {
    say('…');
    timer = setTimeout(run, WAIT);
  }
}

function show() {
  const known = on && at && seen.get(keyOf(at));
  parts.body.hidden = !on;
  parts.bar.hidden = !on || !at;
  hintAt([]);
  if (!on || !at) return;
  parts.lines.reserve(count);
  if (known) showLines(known);
}

function move(position) {
  const same = position && at && position.start === at.start && position.play === at.play;
  if (same) { at = position; return; } // the server's answer about the position
  parts.threat.clear();
  at = position;
  show();
  restart();
}

function toggle() {
  on = !on;
  parts.toggle.setAttribute('aria-checked', String(on));
  parts.score.textContent = '';
  showBar(null);
  parts.threat.clear();
  show();
  restart();
  watcher?.();
}

function countField() {
  const select = el('select', { 'aria-label': 'Number of lines' }, ...Array.from({ length: LINES_MAX }, (_, i) => el('option', { value: i + 1, selected: i + 1 === count },
    i === 0 ? '1 line' : `${i + 1} lines`)));
  select.addEventListener('change', () => { count = Number(select.value); show(); restart(); });
  return select;
}

/** Turns the engine on or off, as its switch does. */
export function toggleEngine() {
  if (at) toggle();
  return true;
}

/** Shows what the side that is not to move threatens, or hides it. Switches the engine on. */
export function toggleThreat() {
  if (!at) return true;
  if (!on) toggle();
  parts.threat.toggle();
  return true;
}

export const isEngineOn = () => on && !paused;

/** Calls watch() when the engine is turned on or off; null: no more. */
export function watchEngine(watch) {
  watcher = watch;
}

/** Stops the engine while a complete game is analysed. */
export function pauseEngine(pause) {
  paused = pause;
  restart();
  if (pause) say('paused while the game is analysed');
}

/** Puts the panel into the column. Call this once. */
export function createEngine() {
  const lines = createLines((ucis) => at.line.playLine(ucis));
  parts = {
    lines, threat: createThreat(() => at), bar: byId('evaluation-bar'), score: el('output', { class: 'engine-score', 'aria-label': 'Evaluation' }),
    toggle: el('button', { type: 'button', role: 'switch', 'aria-checked': 'false', id: 'engine-switch', onclick: toggle }, el('span', { class: 'track', 'aria-hidden': 'true' }), 'Engine'),
    name: el('span', { class: 'engine-name' }, engineLimits().name), state: el('span', { class: 'engine-state' }), again: el('button', { type: 'button', class: 'quiet', hidden: true, onclick: restart }, 'Continue'),
  };
  parts.body = el('div', { class: 'engine-body', hidden: true }, lines.element, parts.threat.line,
    el('p', { class: 'engine-foot' }, parts.state, parts.threat.button, parts.again));
  byId('engine').append(el('div', { class: 'engine-head' }, parts.toggle, parts.name, parts.score, countField()), parts.body);
  byId('engine').hidden = false;
  watchPosition(move);
  document.addEventListener('visibilitychange', restart);
}
