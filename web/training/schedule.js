/* SPDX-License-Identifier: MIT */
// Spaced repetition with Leitner's boxes. A card that is answered right moves to the next box, and is asked again after
// the time of this box. A card that is answered wrong returns to box 0. New cards have no state.
//
// The state of a card is {box, due, right, wrong}: times are milliseconds since 1970, and are passed by the caller.

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** The time until a card of each box is asked again. */
export const TIMES = [10 * MINUTE, DAY, 3 * DAY, 7 * DAY, 16 * DAY, 35 * DAY, 90 * DAY, 180 * DAY];
const KNOWN = 4; // the first box of cards that are known well

/** Returns the state of a card after an answer. `card`: the state before, or undefined for a new card. */
export function answered(card, right, now) {
  const { box, right: good, wrong: bad } = card ?? { box: 0, right: 0, wrong: 0 };
  const next = right ? Math.min(box + 1, TIMES.length - 1) : 0;
  return { box: next, due: now + TIMES[next], right: good + (right ? 1 : 0), wrong: bad + (right ? 0 : 1) };
}

export const isDue = (card, now) => card !== undefined && card.due <= now;

/** Returns the cards of a session: the due ones, longest due first, then new ones in their order; at most `most`. */
export function session(keys, cards, now, most) {
  const due = keys.filter((key) => isDue(cards[key], now)).sort((a, b) => cards[a].due - cards[b].due);
  return [...due, ...keys.filter((key) => !cards[key])].slice(0, most);
}

/** Returns the cards of a session after the answer to the first one: a wrong answer is asked again at the end. */
export const afterAnswer = (queue, right) => (right ? queue.slice(1) : [...queue.slice(1), queue[0]]);

/** Returns {all, due, fresh, known, right, wrong, next}: numbers of cards and of answers, and when the next card is due;
 * null if none will be. */
export function summary(keys, cards, now) {
  const seen = keys.map((key) => cards[key]).filter(Boolean);
  const sum = (name) => seen.reduce((total, card) => total + card[name], 0);
  const later = seen.map((card) => card.due).filter((due) => due > now);
  return { all: keys.length, due: seen.filter((card) => isDue(card, now)).length, fresh: keys.length - seen.length, known: seen.filter((card) => card.box >= KNOWN).length,
    right: sum('right'), wrong: sum('wrong'), next: later.length > 0 ? Math.min(...later) : null };
}

/** Describes a time that is `ms` ahead: "in 10 minutes", "in 3 days". */
export function ahead(ms) {
  const hours = Math.ceil(ms / (60 * MINUTE));
  const [n, unit] = ms < 60 * MINUTE ? [Math.ceil(ms / MINUTE), 'minute'] : hours < 24 ? [hours, 'hour'] : [Math.round(ms / DAY), 'day'];
  return `in ${n} ${unit}${n === 1 ? '' : 's'}`;
}
