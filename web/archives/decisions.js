/* SPDX-License-Identifier: MIT */
// Duplicates as `stamma dedupe --dry-run --json` lists them, and the decisions file that `stamma dedupe --decisions` reads.

/** Parses the list: one JSON object per line, {kind, archive, game, kept_archive, kept_game}, and
 * score and reason of a probable duplicate, which are added to its kind. Skips other objects.
 * Throws an error with the number of a line that is not JSON. */
export function parseDuplicates(text) {
  const pairs = [];
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    let one;
    try { one = JSON.parse(line); } catch { throw new Error(`Line ${i + 1} is not JSON. Choose the output of stamma dedupe --dry-run --json.`); }
    if (typeof one?.archive !== 'string' || !Number.isInteger(one.game) || typeof one.kept_archive !== 'string' || !Number.isInteger(one.kept_game)) return;
    const kind = Number.isInteger(one.score) ? `${one.kind} (${one.score}, ${one.reason})` : String(one.kind);
    pairs.push({ kind, drop: { archive: one.archive, number: one.game }, keep: { archive: one.kept_archive, number: one.kept_game } });
  });
  return pairs;
}

const cell = (text) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

/** What a choice means for the two games of a pair. */
const DECISIONS = { drop: ['drop', 'keep'], swap: ['keep', 'drop'], both: ['keep', 'keep'] };
export const CHOICES = Object.keys(DECISIONS);

/** Returns the decisions file, CSV with the columns archive, game, decision and why. choices: a Map of pair numbers. If
 * choices contradict each other, a game is kept. */
export function decisionsFile(pairs, choices) {
  const games = new Map();
  for (const [n, choice] of [...choices].sort(([a], [b]) => a - b)) {
    const pair = pairs[n];
    [pair.drop, pair.keep].forEach((game, side) => {
      const key = JSON.stringify([game.archive, game.number]);
      const decision = DECISIONS[choice][side];
      const other = side === 0 ? pair.keep : pair.drop;
      if (games.get(key)?.decision !== 'keep') games.set(key, { ...game, decision, why: `${pair.kind}: ${other.archive} ${other.number}` });
    });
  }
  const rows = [...games.values()].map((one) => [one.archive, String(one.number), one.decision, one.why].map(cell).join(','));
  return `${['archive,game,decision,why', ...rows].join('\n')}\n`;
}

/** Returns the number of equal moves at the beginning of two lists. */
export function commonMoves(a, b) {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n += 1;
  return n;
}

/** Returns the served archive of a path: the one of the same name, otherwise of the same file name; null if none is. */
export function archiveOf(path, archives) {
  const file = (name) => name.split('/').at(-1);
  return archives.find((one) => one.name === path) ?? archives.find((one) => file(one.name) === file(path)) ?? null;
}
