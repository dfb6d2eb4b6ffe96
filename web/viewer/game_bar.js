/* SPDX-License-Identifier: MIT */
// The bar of a game: its neighbours in the list, the way back to the list, automatic play, and sounds.

import { announce, el } from '../base/dom.js';
import { go } from '../base/address.js';
import { placeInList } from '../lists/game_list.js';
import { setSounds, soundsAreOn } from './sound.js';
import { count } from '../base/words.js';

const SPEEDS = [['500', '0.5 s'], ['1000', '1 s'], ['2000', '2 s'], ['4000', '4 s']];
const KEY = 'speed';

function savedSpeed() {
  try { return SPEEDS.some(([value]) => value === localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : '1000'; } catch { return '1000'; }
}

function neighbours(id) {
  const place = placeInList(id);
  if (!place) return null;
  let loading = false;
  const load = async (one, event) => {
    event.preventDefault();
    if (loading) return; // a key that is held
    loading = true;
    try { go(await one.load()); } catch (error) { announce(error.message); }
    loading = false;
  };
  const link = (one, label, kind) => el('a', { class: `button ${kind}`, href: one?.href, 'aria-disabled': one ? null : 'true', rel: kind === 'next' ? 'next' : 'prev',
    onclick: one?.load && ((event) => load(one, event)) }, label);
  return el('span', { class: 'neighbours' }, link(place.previous, '‹ Previous game', 'previous'), el('span', { class: 'of' }, `${count(place.at + 1)} of ${count(place.count)}${place.sorted ? '; only these are sorted' : ''}`),
    link(place.next, 'Next game ›', 'next'), el('a', { class: 'back-to-list', href: place.back }, 'Back to the list'));
}

/** Creates the bar. step() goes one ply forward, and returns false at the end. Returns {element, stop()}. */
export function createGameBar(id, step) {
  let timer = 0;
  const speed = el('select', { class: 'speed', 'aria-label': 'Time for each move' }, ...SPEEDS.map(([value, label]) => el('option', { value, selected: value === savedSpeed() }, label)));
  const button = el('button', { type: 'button', class: 'autoplay', 'aria-pressed': 'false' }, 'Play');
  const sounds = el('button', { type: 'button', class: 'sounds', 'aria-pressed': String(soundsAreOn()) }, 'Sounds');

  function stop() {
    clearTimeout(timer);
    timer = 0;
    button.setAttribute('aria-pressed', 'false');
    button.textContent = 'Play';
  }

  function next() {
    if (!button.isConnected || !step()) { stop(); return; }
    timer = setTimeout(next, Number(speed.value));
  }

  button.addEventListener('click', () => {
    if (timer) { stop(); return; }
    button.setAttribute('aria-pressed', 'true');
    button.textContent = 'Pause';
    timer = setTimeout(next, 0);
  });
  speed.addEventListener('change', () => { try { localStorage.setItem(KEY, speed.value); } catch { /* no storage: for this game only */ } });
  sounds.addEventListener('click', () => {
    setSounds(!soundsAreOn());
    sounds.setAttribute('aria-pressed', String(soundsAreOn()));
    announce(soundsAreOn() ? 'Sounds on' : 'Sounds off');
  });
  return { stop, element: el('div', { class: 'game-bar' }, neighbours(id), el('span', { class: 'player-buttons' }, button, speed, sounds)) };
}
