/* SPDX-License-Identifier: MIT */
// Uses all declarations of index.d.ts as a program does. `tsc --strict` compiles this file.
import { load, memorySource, rangeSource, StammaError } from 'stamma';
import type { Archive, FoundGame, Game, Position, Source, Stamma, Tree } from 'stamma';

export async function use(file: File, signal: AbortSignal): Promise<number> {
  const stamma: Stamma = await load({ module: new URL('https://example.org/stamma.wasm'), log: (text: string) => console.log(text), memory: 1e8 });
  const packed: Uint8Array = await stamma.packPgn(file, { level: 2, signal, onProgress: (done, total) => console.log(done / total) });
  const source: Source = memorySource(packed);
  const archive: Archive = await stamma.open(source, { name: 'games', index: file });
  let plies = 0;
  for await (const game of archive.games({ from: 1, to: 10, fields: ['san', 'plies', 'clock_ms', 'WhiteTitle'] })) plies += count(game);
  for await (const game of stamma.parsePgn('1. e4 *')) plies += count(game);
  const found: FoundGame[] = [];
  for await (const game of archive.find({ player: 'Tal' }, { limit: 3 })) found.push(game);
  const tree: Tree = await archive.tree({ moves: ['e2e4'] });
  const position: Position = stamma.position().play(tree.moves[0]?.san ?? 'e4');
  await archive.index({ signal });
  await archive.useIndex(await archive.indexFile());
  const one: Game | undefined = await archive.game(1, { fields: 'all' });
  archive.close();
  return plies + found.length + position.moves.length + (one?.plies ?? 0) + rangeSource('https://example.org/a.stamma', { most: 1e6 }).size;
}

function count(game: Game): number {
  const clocks: (number | null)[] | undefined = game.clock_ms;
  // @ts-expect-error the result is one of four texts
  if (game.result === '2-0') throw new StammaError('no such result', 0);
  return game.plies + game.san.length + (clocks?.length ?? 0);
}

// @ts-expect-error there are three levels
export const wrong = (stamma: Stamma) => stamma.packPgn('', { level: 4 });
