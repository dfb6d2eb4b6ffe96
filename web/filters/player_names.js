/* SPDX-License-Identifier: MIT */
// The value of a filter for a player: the beginning of a name, "=NAME" (exactly this name), "@ID" (a person), or several
// of these: `|` before `=` or `@` begins the next name. In a name, `|` before these is doubled (doc/reference/search.md).

const BARS = /(\|+)(?=[=@])/; // splits a text into names, bars, names ...

/** Returns the names of a value. */
export function splitNames(value) {
  const names = [''];
  for (const [i, part] of value.split(BARS).entries()) {
    const half = i % 2 === 1 && Math.floor(part.length / 2);
    names[names.length - 1] += half === false ? part : '|'.repeat(half);
    if (half !== false && part.length % 2 === 1) names.push('');
  }
  return names.filter(Boolean);
}

/** Whether a name is exact or a person. */
export const isMarked = (name) => name.length > 1 && (name[0] === '=' || name[0] === '@');

/** Returns the value that finds any of some names. At most one of them is the beginning of a name. */
export function joinNames(names) {
  const ordered = [...names.filter((name) => !isMarked(name)), ...names.filter(isMarked)];
  const unique = ordered.filter((name, i) => name && ordered.indexOf(name) === i);
  return unique.map((name, i) => name.replace(/\|+(?=[=@])/g, '$&$&').replace(i + 1 < unique.length ? /\|+$/ : /$^/, '$&$&')).join('|');
}

/** Returns the names in a value, for headings. */
export const nameIn = (value) => splitNames(value).map((name) => (isMarked(name) ? name.slice(1) : name)).join(' + ');

/** Describes the value of a filter for a player: "exactly Wang,Y", "person wang-yi", the beginning of a name, or several
 * of these. */
export const playerInWords = (value) => splitNames(value).map((name) => (!isMarked(name) ? name : name[0] === '=' ? `exactly ${name.slice(1)}` : `person ${name.slice(1)}`)).join(' or ');
