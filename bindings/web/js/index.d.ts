/* SPDX-License-Identifier: MIT */
/** A compact library for chess games: archives that restore PGN byte for byte, searches, opening trees, positions. */

/** A source of bytes, which is read synchronously. */
export interface Source {
  readonly size: number;
  /** Returns exactly `size` bytes. Throws an error if they cannot be read. */
  read(offset: number, size: number): Uint8Array;
  close?(): void;
}

/**
 * Bytes, or where they are: a Blob or File; a URL; in Node, also the path of a file (except where a string is PGN text).
 * Files of Node are read in place. In a worker, Blobs are read in place, and addresses by synchronous requests of ranges.
 * Elsewhere, Blobs and addresses are first read into memory.
 */
export type Input = Uint8Array | ArrayBuffer | Blob | URL | Source;

export interface LoadOptions {
  /** The file stamma.wasm; default: in the folder of this module. */
  module?: URL | string | Uint8Array | ArrayBuffer | WebAssembly.Module;
  /** The file stamma.weights, which is loaded when it is needed: for levels 2 and 3. */
  weights?: URL | string | Uint8Array | ArrayBuffer;
  /** Called with messages, such as games that differ from the rules. */
  log?(message: string): void;
  /** Limit of the memory of a search, in bytes; default: 256 MB. */
  memory?: number;
}

/** Loads the library. Compiling it takes about 0.1 s, so load it once. */
export function load(options?: LoadOptions): Promise<Stamma>;

export interface ProgressOptions {
  /** Called between blocks. `total` is 0 if it is unknown. */
  onProgress?(done: number, total: number): void;
  /** Ends the call with the reason of the signal. It is examined between blocks. */
  signal?: AbortSignal;
}

export interface OutputOptions {
  /** Called with the output as it is made, such as `(bytes) => handle.write(bytes)` with a handle of the origin-private file
   * system in a worker. The result of the call is then empty. */
  write?(bytes: Uint8Array): unknown;
}

export interface OpenOptions {
  name?: string;
  /** The index file of the archive, which `stamma index` or indexFile() writes. */
  index?: Input | string;
  /** The file of tree pages of the archive (`stamma pages`). */
  pages?: Input | string;
}

export interface PackOptions extends ProgressOptions, OutputOptions {
  /** 1: fast (default); 2: a third smaller, and slower to read; 3: smallest, much slower. */
  level?: 1 | 2 | 3;
}

/** The names of the members of a game (doc/reference/columns.md), or of tags, which begin with a capital. */
export type Field = 'number' | 'tags' | 'white' | 'black' | 'result' | 'date' | 'event' | 'site' | 'round' | 'fen' | 'chess960'
  | 'plies' | 'moves_bits' | 'kept_as_text' | 'uci' | 'san' | 'white_rating' | 'black_rating' | 'eco' | 'eco_derived' | 'opening'
  | 'opening_derived' | 'clock_ms' | 'time_spent_ms' | 'eval_cp' | 'mate' | 'comments' | 'nags' | 'variations' | `${Capital}${string}`;
type Capital = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M' | 'N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U'
  | 'V' | 'W' | 'X' | 'Y' | 'Z';

/** A game. Without `fields`, it has the members that are not optional here. */
export interface Game {
  number: number;
  tags: Record<string, string>;
  result: '1-0' | '0-1' | '1/2-1/2' | '*';
  /** null: the initial position. */
  fen: string | null;
  chess960: boolean;
  plies: number;
  san: string[];
  uci: string[];
  comments: unknown[];
  nags: unknown[];
  variations: unknown[];
  white?: string | null;
  black?: string | null;
  date?: string | null;
  event?: string | null;
  site?: string | null;
  round?: string | null;
  white_rating?: number | null;
  black_rating?: number | null;
  eco?: string | null;
  opening?: string | null;
  /** After each ply. */
  clock_ms?: (number | null)[];
  eval_cp?: (number | null)[];
  mate?: (number | null)[];
  [member: string]: unknown;
}

export interface FieldsOptions {
  /** The members of each game; 'all': those that `stamma cat --json` prints. Fewer members are read faster. */
  fields?: Field[] | 'all';
}

export interface GamesOptions extends FieldsOptions {
  /** Numbers of the first and the last game, from 1. */
  from?: number;
  to?: number;
}

/** A game that was found: the members of a list of games. */
export interface FoundGame {
  id: string;
  white: { name: string | null; rating: number | null } | string | null;
  black: { name: string | null; rating: number | null } | string | null;
  [member: string]: unknown;
}

/** Rules of a search (doc/reference/search.md), such as {player: 'Tal', material: 'KRPKR', result: '1-0'}. */
export type Rules = Record<string, unknown> | string;

export interface FindOptions {
  limit?: number;
  sort?: string;
}

export interface TreeMove {
  uci: string;
  san: string;
  white: number;
  draws: number;
  black: number;
  averageRating: number | null;
  [member: string]: unknown;
}

/** The moves that were played in a position, in the format of the Lichess explorer. */
export interface Tree {
  white: number;
  draws: number;
  black: number;
  moves: TreeMove[];
  topGames?: unknown[];
  recentGames?: unknown[];
  [member: string]: unknown;
}

export interface TreeOptions {
  /** Moves in UCI from the start. */
  moves?: string[];
  /** The start; default: the initial position. */
  fen?: string;
  /** Other parameters of /lichess (doc/reference/serve.md). */
  [parameter: string]: unknown;
}

export interface ArchiveInfo {
  number: number;
  name: string;
  games: number;
  plies: number;
  archive_size: number;
  levels: number[];
  index: 'file' | 'memory' | null;
}

/** An archive that is open. */
export interface Archive {
  readonly number: number;
  readonly info: ArchiveInfo;
  /** The number of games. */
  readonly size: number;
  /** Returns a game by its number, from 1; undefined if there is none. */
  game(number: number, options?: FieldsOptions): Promise<Game | undefined>;
  /** Returns the exact bytes of a game. */
  text(number: number): Promise<Uint8Array>;
  games(options?: GamesOptions): AsyncIterableIterator<Game>;
  find(rules?: Rules, options?: FindOptions): AsyncIterableIterator<FoundGame>;
  count(rules?: Rules): Promise<number>;
  tree(options?: TreeOptions): Promise<Tree>;
  stats(params?: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Makes an index in memory: searches and trees are then fast. */
  index(options?: ProgressOptions): Promise<void>;
  /** Returns an index file, which open() and useIndex() accept. */
  indexFile(options?: ProgressOptions & OutputOptions): Promise<Uint8Array>;
  useIndex(input: Input | string): Promise<void>;
  /** Returns the text of all games, byte for byte as it was packed. */
  unpack(options?: { signal?: AbortSignal } & OutputOptions): Promise<Uint8Array>;
  /** Answers any request of the server about this archive (doc/reference/serve.md). */
  request(path: string, params?: Record<string, unknown>): unknown;
  close(): void;
}

/** A position and its legal moves. */
export interface Position {
  readonly fen: string;
  readonly inCheck: boolean;
  readonly isCheckmate: boolean;
  readonly isStalemate: boolean;
  readonly moves: { uci: string; san: string }[];
  /** Returns the position after a move in SAN or UCI. Throws a StammaError if it is illegal or ambiguous. */
  play(move: string): Position;
}

export interface Stamma {
  /** Opens an archive. In Node, a string is the path of a file. */
  open(input: Input | string, options?: OpenOptions): Promise<Archive>;
  /** Packs PGN: a string is the text itself. Compressed files (gzip, bzip2, xz, Zstandard, zip) are decompressed. */
  packPgn(input: Input | string, options?: PackOptions): Promise<Uint8Array>;
  /** Reads the games of PGN. A string is the text itself. */
  parsePgn(input: Input | string, options?: FieldsOptions & ProgressOptions): AsyncIterableIterator<Game>;
  /** Returns a position; without a FEN, the initial position. Throws a StammaError if the FEN is not legal. */
  position(fen?: string): Position;
  /** Returns the encodings of moves and positions (doc/reference/encodings.md). */
  encodings(): Record<string, unknown>[];
  /** Returns the codes of a move in UCI in each encoding. */
  encode(fen: string, move: string): Record<string, unknown>;
  /** Answers any request of the server (doc/reference/serve.md). */
  request(path: string, params?: Record<string, unknown>): unknown;
  /** Loads the weights of the predictor. open() and packPgn() do this when an archive needs them. */
  loadWeights(): Promise<void>;
}

/** An error of the library. `code` is its number in include/stamma/base.h, or 0. */
export class StammaError extends Error {
  constructor(message: string, code: number);
  readonly code: number;
}

export function memorySource(bytes: Uint8Array): Source;
/** A source of a Blob, for workers. */
export function blobSource(blob: Blob): Source;
/** A source of an address whose server answers requests of ranges, for workers. */
export function rangeSource(address: string, options?: { most?: number; watch?(offset: number, size: number): void }): Source;
