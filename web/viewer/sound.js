/* SPDX-License-Identifier: MIT */
// Sounds of moves, made by the browser. Off unless the user switches them on.

const KEY = 'sounds';
let context = null;
let on = false;
try { on = localStorage.getItem(KEY) === 'on'; } catch { /* no storage: off */ }

export const soundsAreOn = () => on;

export function setSounds(wanted) {
  on = wanted;
  try { localStorage.setItem(KEY, on ? 'on' : 'off'); } catch { /* no storage: for this visit only */ }
  if (on) sound('');
}

function knock(at, frequency, seconds, volume) {
  const [tone, gain] = [context.createOscillator(), context.createGain()];
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(frequency, at);
  tone.frequency.exponentialRampToValueAtTime(frequency / 2, at + seconds);
  gain.gain.setValueAtTime(volume, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + seconds);
}

/** Makes the sound of a move in SAN: lower for a capture, and with a second tone for a check. Returns whether it was
 * made. */
export function sound(san) {
  if (!on) return false;
  context ??= new AudioContext();
  const now = context.currentTime;
  knock(now, san.includes('x') ? 180 : 320, 0.09, 0.25);
  if (/[+#]/.test(san)) knock(now + 0.09, 620, 0.12, 0.15);
  return true;
}
