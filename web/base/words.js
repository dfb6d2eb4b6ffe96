/* SPDX-License-Identifier: MIT */
// Formats numbers, names, dates and results.

const NAGS = {
  1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!', 7: '□', 10: '=', 13: '∞', 14: '+=', 15: '=+', 16: '±', 17: '∓', 18: '+−', 19: '−+',
  22: '⨀', 23: '⨀', 32: '⟳', 33: '⟳', 36: '↑', 37: '↑', 40: '→', 41: '→', 44: '=/∞', 45: '=/∞', 132: '⇆', 133: '⇆', 138: '⊕', 139: '⊕', 140: '∆', 146: 'N',
};

const grouped = new Intl.NumberFormat('en', { useGrouping: true });

export const count = (n) => grouped.format(n);

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats a number briefly, for the side of a chart: 8,000, 15K, 2.5M. */
export const axis = (n) => (n < 10000 ? count(n) : short.format(n));

/** Formats a number of things: 1 move, 2,000 moves. */
export const several = (n, one, more = `${one}s`) => `${count(n)} ${n === 1 ? one : more}`;

export const games = (n) => several(n, 'game');

/** Formats a number of bytes: 950 B, 1.2 MB. */
export function bytes(n) {
  const unit = n < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(n) / 3));
  const value = n / 1000 ** unit;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${['B', 'kB', 'MB', 'GB', 'TB'][unit]}`;
}

/** Formats a share in percent. Shares below 0.95 % have one decimal; below 0.05 % the text is "<0.1 %". */
export function percent(part, whole) {
  if (!whole) return '0 %';
  const share = (100 * part) / whole;
  if (share > 0 && share < 0.05) return '<0.1 %';
  return `${share > 0 && share < 0.95 ? share.toFixed(1) : Math.round(share)} %`;
}

export const nag = (number) => NAGS[number] ?? `$${number}`;

/** Formats a result: 1–0, ½–½. */
export function result(game) {
  const text = game.result ?? { white: '1-0', black: '0-1' }[game.winner] ?? '1/2-1/2';
  return text === '1/2-1/2' ? '½–½' : text.replace('-', '–');
}

/** Formats a date: "2010.05.??" and "2010-05" as 2010-05, "????.??.??" as an empty text. */
export function date(game) {
  const text = game.date ?? game.month ?? (game.year ? String(game.year) : '');
  return text.replace(/[.-]\?\?/g, '').replace(/\./g, '-').replace(/^\?+$/, '');
}

const plainName = (text) => (text ?? '').split(',')[0].replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '').slice(0, 40);

/** Returns the name of a file for a game, without suffix: Tal-Botvinnik-1960-03-26, or game-3 if the players are not known. */
export function fileName(tags, number) {
  const [white, black] = [plainName(tags.White), plainName(tags.Black)];
  return white && black ? [white, black, date({ date: tags.UTCDate ?? tags.Date })].filter(Boolean).join('-') : `game-${number}`;
}

export const name = (player) => player?.name || '?';

/** Formats seconds as 1:02:03, 2:03 or, below ten seconds, 3.4. */
export function clock(seconds) {
  const two = (n) => String(n).padStart(2, '0');
  const tenths = Math.floor(10 * seconds) / 10; // 9.96 is less than ten seconds
  if (tenths < 10) return `0:0${tenths.toFixed(1)}`;
  const whole = Math.floor(seconds);
  const minutes = `${Math.floor(whole / 60) % 60}`;
  if (whole < 3600) return `${minutes}:${two(whole % 60)}`;
  return `${Math.floor(whole / 3600)}:${two(minutes)}:${two(whole % 60)}`;
}

/** Formats an evaluation: centipawns from White's side, or {mate}. */
export function evaluation(value) {
  if (typeof value === 'object') return `#${value.mate}`;
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${(Math.abs(value) / 100).toFixed(2)}`;
}

/** Removes commands for programs from a comment: [%clk 0:01:00]. */
export const comment = (text) => text.replace(/\[%\w+ [^\]]*\]/g, '').replace(/\s+/g, ' ').trim();

/** Returns "12." before White's ply 23, "12…" before Black's. Plies count from 1. */
export const moveNumber = (ply) => `${Math.ceil(ply / 2)}${ply % 2 ? '.' : '…'}`;

const KEPT = {
  bad_fen: 'its FEN is not a legal position', variant: 'it is a game of another chess variant', syntax: 'part of it is not PGN', illegal_move: 'a move is not legal',
  ambiguous_move: 'a move is ambiguous', depth: 'variations are nested too deeply', size: 'it is too large', unsupported: 'a position has too many legal moves',
};

/** Explains why a game, or a part of it, is not available as moves. */
export const keptAsText = (reason) => `The archive stores this game, or the part after the last move shown, only as text: ${KEPT[reason] ?? reason}. Save PGN saves the complete game.`;
