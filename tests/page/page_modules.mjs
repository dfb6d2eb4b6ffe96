/* SPDX-License-Identifier: MIT */
// Run by page_modules.sh, in a folder with the page's modules.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as address from './base/address.js';
import * as api from './base/api.js';
import * as answers from './base/answers.js';
import * as chances from './base/chances.js';
import * as charts from './base/charts.js';
import * as bits from './encodings/code_bits.js';
import * as boards from './encodings/board_walks.js';
import * as decisions from './archives/decisions.js';
import * as figures from './viewer/figures.js';
import { EXAMPLES } from './encodings/examples.js';
import * as filters from './filters/filters.js';
import * as sizes from './encodings/game_sizes.js';
import * as menu from './filters/source_menu.js';
import * as links from './viewer/links.js';
import * as notation from './viewer/notation.js';
import * as pattern from './base/pattern.js';
import * as names from './filters/player_names.js';
import { nearest } from './filters/nearest_names.js';
import * as presets from './filters/presets.js';
import * as rest from './base/rest.js';
import * as balances from './search/balances.js';
import * as query from './search/query.js';
import * as steps from './search/steps.js';
import * as structures from './search/structures.js';
import * as short from './base/short_links.js';
import * as rules from './base/rules.js';
import { serverSupplier } from './base/server_supplier.js';
import * as sources from './base/sources.js';
import * as supplier from './base/supplier.js';
import * as tablebase from './explore/tablebase.js';
import * as treeOrder from './explore/tree_order.js';
import * as words from './base/words.js';
import { createWorkerSupplier } from './base/worker_supplier.js';
import { runChecks } from './run_checks.mjs';

// The folders that a folder's modules may import, besides their folder (doc/dev/page_sources.md).
const FOLDERS = { base: [], board: ['base'], filters: ['base'], lists: ['base'], engine: ['base', 'board'], study: ['base', 'board'], viewer: ['base', 'board', 'lists', 'engine', 'study'], analysis: ['base', 'board', 'study', 'viewer'],
  explore: ['base', 'board', 'filters', 'lists', 'engine'], search: ['base', 'filters', 'lists'], players: ['base', 'board', 'filters'], statistics: ['base', 'filters'], archives: ['base', 'filters', '.'],
  encodings: ['base', 'board', 'search', 'study'], training: ['base', 'board', 'filters', 'players', 'study'] };

const checks = {
  'modules import only from the folders below their own'() {
    const root = new URL('./', import.meta.url);
    for (const [folder, allowed] of Object.entries(FOLDERS)) {
      for (const name of readdirSync(new URL(folder, root)).filter((one) => one.endsWith('.js'))) {
        const imported = [...readFileSync(new URL(`${folder}/${name}`, root), 'utf8').matchAll(/(?:from |import\()'([^']*)'/g)].map(([, path]) => path.replace(/^\.\.\/([a-z_]+\.js)$/, '.././$1'));
        const folders = imported.filter((path) => path.startsWith('../')).map((path) => path.split('/')[1]).filter((one) => !/^(chess\.js|cm-chessboard)$/.test(one));
        assert.deepEqual(folders.filter((one) => !allowed.includes(one)), [], `${folder}/${name}`);
      }
    }
    assert.deepEqual(readdirSync(root, { withFileTypes: true }).filter((one) => one.isDirectory() && one.name !== 'chess.js').map((one) => one.name).sort(), Object.keys(FOLDERS).sort());
  },
  'the page requests all modules of its first view at once'() {
    const root = new URL('./', import.meta.url);
    const text = (path) => readFileSync(new URL(path, root), 'utf8');
    const found = new Set();
    const visit = (path) => {
      if (found.has(path)) return;
      found.add(path);
      for (const [, other] of text(path).matchAll(/^import [^']*'(\.[^']*)'/gm)) visit(new URL(other, new URL(path, root)).href.slice(root.href.length));
    };
    const page = text('index.html');
    const scripts = [...page.matchAll(/<script type="module" src="([^"]*)"/g)].map(([, path]) => path);
    scripts.forEach(visit);
    const listed = [...page.matchAll(/<link rel="modulepreload"[^>]* href="([^"]*)"/g)].map(([, path]) => path);
    assert.deepEqual([...listed].sort(), [...found].filter((path) => !scripts.includes(path)).sort());
    const common = new Set(found);
    visit('explore/explore.js');
    const first = [...text('preload.js').matchAll(/'([a-z]+\/[a-z_]+\.js)'/g)].map(([, path]) => path);
    assert.ok(listed.length > 15 && first.length > 10);
    assert.deepEqual([...first].sort(), [...found].filter((path) => !common.has(path)).sort());
  },
  'names of files'() {
    assert.equal(words.fileName({ White: 'Tal, Mihail', Black: 'Botvinnik, M.', Date: '1960.03.??' }, 3), 'Tal-Botvinnik-1960-03');
    assert.equal(words.fileName({ White: 'Ólafsson/..', Black: '"x" <y>' }, 3), 'Ólafsson-x-y');
    assert.equal(words.fileName({ White: '?', Black: 'Tal' }, 3), 'game-3');
    assert.deepEqual([words.several(1, 'move'), words.several(2000, 'move'), words.several(1, 'ply', 'plies'), words.games(1)], ['1 move', '2,000 moves', '1 ply', '1 game']);
  },
  'an address is read as it was written'() {
    const params = { fen: '8/8/8/8/8/8/8/K1k5 w - - 0 1', player: 'Müller & Söhne, #1?=%', json: '{"move": "e8=Q+"}', ply: '0' };
    assert.deepEqual(address.parse(address.format('game', params, 'a/b c?')), { view: 'game', item: 'a/b c?', params });
    assert.equal(address.parse('#/game/100%').item, '100%');
    assert.deepEqual(address.parse(''), { view: 'explore', item: '', params: {} });
    assert.equal(address.format('explore', { a: '', b: null, c: undefined, play: 'e2e4,c7c5' }), '#/explore?play=e2e4,c7c5');
  },
  'short addresses mean the long ones'() {
    const ucis = ['e2e4', 'a7a8q', 'h1h8', 'a1h8', 'b7c8n', 'e1g1'];
    assert.deepEqual(short.unpacked(short.packed(ucis)), ucis);
    const squares = [...'abcdefgh'].flatMap((file) => [...'12345678'].map((rank) => file + rank));
    const all = squares.flatMap((from) => squares.map((to) => from + to));
    assert.deepEqual(short.unpacked(short.packed(all)), all);
    assert.equal(short.packed(['e2e4', 'e7e5']).length, 4);
    assert.deepEqual(address.parse(short.lineLink(ucis, 'player=X')), { view: 'explore', item: '', params: { play: ucis.join(), player: 'X' } });
    assert.deepEqual(address.parse(short.lineLink([], 'fen=x')), { view: 'explore', item: '', params: { fen: 'x' } });
    assert.deepEqual(address.parse(short.gameLink('AbCd1234', 24)), { view: 'game', item: 'AbCd1234', params: { ply: '24' } });
    assert.deepEqual(address.parse(short.gameLink('AbCd1234', 24, 1)), { view: 'game', item: 'AbCd1234', params: { ply: '24', line: '1' } });
    assert.deepEqual(address.parse('#/g/12'), { view: 'game', item: '12', params: {} });
    assert.deepEqual(address.parse('#/g'), { view: 'g', item: '', params: {} });
    assert.deepEqual(address.parse('#/e/!!').params.play, '');
    assert.deepEqual(address.parse('#/game/AbCd1234?ply=4'), { view: 'game', item: 'AbCd1234', params: { ply: '4' } });
  },
  'a placement and its squares are the same thing'() {
    for (const text of ['8/8/8/8/8/8/8/8', 'rnbqkbnr/pppppppp/......../8/3A4/?6a/PPPP.PPP/RNBQKBNR', '1p1p1p1p/8/8/8/8/8/8/.......K']) {
      assert.equal(pattern.toSubFen(pattern.fromSubFen(text)), text);
    }
    for (const text of [undefined, '', '8/8', '9/8/8/8/8/8/8/8', '8/8/8/8/8/8/8/7X', '<img>']) assert.deepEqual(pattern.fromSubFen(text), pattern.ANYTHING);
  },
  'a form is a query'() {
    assert.deepEqual(query.toQuery({}), {});
    assert.deepEqual(query.toQuery({ sub: '8/8/8/8/8/8/8/K7', side: 'b', mirror: '1', material: 'KR P', comment: 'x', shift: '' }),
      { 'sub-fen': '8/8/8/8/8/8/8/K7', mirror: true, 'side-to-move': 'black', material: 'KRP', comment: 'x' });
    assert.deepEqual(query.toQuery({ mirror: '1' }), {}, 'nothing to turn round');
    assert.deepEqual(query.toQuery({ query: '{"mate": true}' }), { mate: true });
    assert.deepEqual(query.toQuery({ side: 'w', query: '{"side-to-move": "black"}' }), { 'side-to-move': 'white', all: [{ 'side-to-move': 'black' }] });
    assert.throws(() => query.toQuery({ query: '{' }), /not JSON/);
    for (const json of ['null', '[]', '5', '"mate"']) assert.throws(() => query.toQuery({ query: json }), /no JSON object/);
  },
  'sequences, pawns, paths and balances are a query'() {
    const sequence = [{ by: 'white', move: 'O-O' }, { captured: 'Q' }];
    const text = JSON.stringify(sequence);
    assert.deepEqual(query.toQuery({ steps: text }), { sequence });
    assert.deepEqual(query.toQuery({ steps: text, gap: '6', stepsflip: '1' }), { flipcolor: true, sequence, gap: 6 });
    assert.deepEqual(query.toQuery({ steps: text, gap: 'next' }), { streak: sequence });
    assert.deepEqual(query.toQuery({ path: 'N g1 f3', pathflip: '1' }), { flipcolor: true, path: 'N g1 f3' });
    assert.deepEqual(query.toQuery({ path: 'N g1 f3', steps: text }), { all: [{ sequence }, { not: { never: { path: 'N g1 f3' } } }] });
    assert.deepEqual(query.toQuery({ path: 'N g1 f3', side: 'w', together: '1' }), { 'side-to-move': 'white', all: [{ path: 'N g1 f3' }] });
    assert.deepEqual(query.toQuery({ pawns: '8/8/4p3/2x5/3P4/8/8/8' }), { all: [{ 'sub-fen': '8/8/4p3/2[KQRBNkqrbn.]5/3P4/8/8/8' }] });
    assert.deepEqual(query.toQuery({ pawns: '8/8/4p3/2x5/3P4/8/8/8', pawnsall: '1', pawnsmirror: '1' }), { mirror: true, pawns: '8/8/4p3/8/3P4/8/8/8' });
    assert.deepEqual(query.toQuery({ pawns: '8/8/8/8/8/8/8/8' }), {});
    const rule = (of, n) => ({ difference: { of, minus: of.toLowerCase(), n } });
    assert.deepEqual(query.toQuery({ difference: 'R:1,BN:-2..-1', lasting: '4', balanceflip: '1' }), { flipcolor: true, for: 4, all: [rule('R', 1), rule('BN', '-2..-1')] });
    assert.deepEqual(query.toQuery({ difference: 'P:1..', balance: '..3', opposite: '1' }), { ...rule('P', '1..'), balance: '..3', 'opposite-bishops': true });
    assert.deepEqual(query.toQuery({ difference: 'X:1,R:,R', balance: '' }), {});
    assert.throws(() => query.toQuery({ steps: '{' }), /not JSON/);
  },
  'a query fills in the form that made it'() {
    const random = ((seed) => (n) => { seed = (seed * 48271) % 2147483647; return seed % n; })(7);
    const one = (...list) => list[random(list.length)];
    const some = (...list) => one('', '', ...list);
    const step = () => one({ move: 'O-O' }, { by: 'white', captured: 'Q' }, { mate: true }, { by: 'black', castling: 'long' }, { material: 'KRPKR' }, { nag: '!!', by: 'white' }, { by: 'black' }, { ply: '1..' }, { 'sub-fen': '8/8/8/8/8/8/8/K7' });
    let rich = 0;
    for (let i = 0; i < 4000; i += 1) {
      const values = { sub: some('8/8/8/8/8/8/8/K7'), side: some('w', 'b'), material: some('KRPKR'), move: some('Nf3'), moment: some('10..20'), comment: some('x'),
        steps: one('', '', JSON.stringify(Array.from({ length: 1 + random(3) }, step))), path: some('N g1 f3 g5'), pawns: some(...structures.STRUCTURES.map(({ pawns }) => pawns)),
        difference: some('R:1,BN:-1', 'P:1..'), balance: some('1', '..-2'), opposite: some('1') };
      if (values.sub) Object.assign(values, { mirror: some('1'), shift: some('1'), flipcolor: some('1') });
      if (values.steps) Object.assign(values, { gap: some('4', 'next'), stepsflip: some('1') });
      if (values.path) values.pathflip = some('1');
      if (values.pawns) Object.assign(values, { pawnsflip: some('1'), pawnsmirror: some('1'), pawnsall: some('1') });
      if (values.pawnsall) values.pawns = values.pawns.replace(/x/g, '1').replace(/\d+/g, (run) => String([...run].reduce((sum, n) => sum + Number(n), 0)));
      if (values.difference || values.balance || values.opposite) Object.assign(values, { lasting: some('6'), balanceflip: some('1') });
      const made = query.toQuery(values);
      if ((values.path || values.steps) && JSON.stringify(query.toQuery({ ...values, together: '1' })) !== JSON.stringify(made)) values.together = some('1');
      const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value));
      const whole = query.toQuery(given);
      rich += Object.keys(given).length > 8;
      assert.deepEqual(query.fromQuery(JSON.parse(JSON.stringify(whole))), given, JSON.stringify(whole));
      assert.deepEqual(query.toQuery(query.fromQuery(whole)), whole);
    }
    assert.ok(rich > 1000);
  },
  'a query that the form has no fields for stays JSON'() {
    for (const other of [{ mate: true }, { white: 'Tal', path: 'N g1 f3' }, { flipcolor: true, material: 'KRPKR' }, { path: 'N g1 f3', mirror: true }, { sequence: [{ move: 'e4' }], for: 3 }, { path: 5 },
      { difference: [{ of: 'R', minus: 'r' }] }, { difference: { of: 'R', minus: 'b', n: 1 } }, { all: [{ sequence: [] }, { sequence: [{ mate: true }] }] }, { any: [{ path: 'N g1 f3' }] }, { not: { never: { mate: true } } }, { 'opposite-bishops': false },
      { pawns: '8/8' }, { streak: [5] }, { gap: 3, streak: [{ mate: true }] }]) assert.equal(query.fromQuery(other), null, JSON.stringify(other));
    assert.deepEqual(query.fromQuery({ streak: [{ 'white-move': 'Bxh7' }, { 'black-move': 'Kxh7' }], flipcolor: true }),
      { steps: '[{"by":"white","move":"Bxh7"},{"by":"black","move":"Kxh7"}]', gap: 'next', stepsflip: '1' });
    assert.deepEqual(query.fromQuery({ path: 'N g1 f3', all: [{ material: 'KRPKR' }] }), { path: 'N g1 f3', material: 'KRPKR', together: '1' });
    assert.deepEqual(query.fromQuery({}), {});
  },
  'steps of a form'() {
    const back = (condition) => steps.conditionOf(steps.stepOf(condition));
    for (const condition of [{ move: 'e4' }, { by: 'white', moved: 'Q' }, { castling: 'any' }, { check: true }, { by: 'white' }, { ply: '1..' }, { captured: 'Q', check: true }, { move: ['e4', 'd4'] }, { check: false }, { fen: 'x' }, {}]) assert.deepEqual(back(condition), condition);
    assert.equal(steps.stepOf({ captured: 'Q', check: true }).kind, 'json');
    assert.deepEqual(['', ' ', 'Nf3 '].map((value) => steps.conditionOf({ by: '', kind: 'move', value })), [null, null, { move: 'Nf3' }]);
    assert.throws(() => steps.conditionOf({ kind: 'json', value: '[]' }), /no JSON object/);
  },
  'named pawn structures'() {
    assert.equal(structures.STRUCTURES[0].pawns, '8/4x3/2p1x3/2xpx3/2xPx3/2x1P3/2x5/8');
    assert.equal(new Set(structures.STRUCTURES.map(({ pawns }) => pawns)).size, structures.STRUCTURES.length);
    for (const { name, pawns } of structures.STRUCTURES) assert.ok(structures.pawnSquares(pawns).some((square) => square === 'P'), name);
    for (const text of ['', '8/8', '8/8/8/8/8/8/8/K7', undefined]) assert.equal(structures.pawnSquares(text), null);
  },
  'ranges of balances'() {
    assert.deepEqual(['1', '1..', '..-1', '-2..3', '', 'x', '1-2'].map(balances.ends), [['1', '1'], ['1', ''], ['', '-1'], ['-2', '3'], null, null, null]);
    for (const { name, values } of balances.BALANCES) assert.deepEqual(query.fromQuery(query.toQuery(values)), values, name);
  },
  'the line of the command'() {
    assert.equal(query.commandOf({}, { player: 'Tal', color: 'white', since: '1960', rating: '2400..', sort: '-date' }, ['games.stamma']), 'stamma find games.stamma --rating 2400.. --white Tal --date 1960.. --sort -date');
    assert.equal(query.commandOf({ comment: "Black's" }, { speeds: 'blitz', event: '*Open*' }, ['my games.stamma']), `stamma find 'my games.stamma' --event '*Open*' --speed blitz --query '{"comment":"Black'\\''s"}'`);
    assert.deepEqual(query.questionOf({ player: 'Tal', color: 'black', speeds: 'blitz', until: '2000', path: 'N g1 f3', go: '1', sort: 'date', archive: '0' }), { black: 'Tal', date: '..2000', speed: 'blitz', all: [{ path: 'N g1 f3' }] });
    assert.deepEqual([query.questionOf({ eco: 'B' }), query.questionOf({ material: 'KK' }), query.questionOf({})], [{ eco: 'B' }, { material: 'KK' }, {}]);
    assert.equal(query.commandOf({}, { speeds: 'blitz,rapid', black: '=Wang,Y' }, ['a']), `stamma find a --black =Wang,Y --query '{"speed":["blitz","rapid"]}'`);
  },
  'what the board takes for a position'() {
    for (const fen of [rules.INITIAL, '8/8/8/8/8/8/8/K1k5']) assert.ok(rules.isPlacement(fen));
    for (const fen of ['', 'bad', '<img src=x>', '8/8/8/8/8/8/8', '9/8/8/8/8/8/8/8', 'ppppppppp/8/8/8/8/8/8/8', '8/8/8/8/8/8/8/88']) assert.ok(!rules.isPlacement(fen));
  },
  'decisions about duplicates'() {
    const line = (archive, game, kept) => JSON.stringify({ kind: 'exact', archive, game, kept_archive: 'b.stamma', kept_game: kept });
    const pairs = decisions.parseDuplicates(`${line('a, "1".stamma', 1, 2)}\n\n{"other": 1}\n${line('a.stamma', 3, 2)}\n`);
    const probable = { kind: 'probable', archive: 'a', game: 1, kept_archive: 'b', kept_game: 2, score: 87, reason: 'date' };
    assert.equal(decisions.parseDuplicates(JSON.stringify(probable))[0].kind, 'probable (87, date)');
    assert.deepEqual(pairs.map((pair) => [pair.kind, pair.drop.number, pair.keep.number]), [['exact', 1, 2], ['exact', 3, 2]]);
    assert.throws(() => decisions.parseDuplicates(`${line('a', 1, 2)}\nx`), /Line 2/);
    const head = 'archive,game,decision,why\n';
    assert.equal(decisions.decisionsFile(pairs, new Map()), head);
    const first = '"a, ""1"".stamma",1,';
    assert.equal(decisions.decisionsFile(pairs, new Map([[0, 'drop']])), `${head}${first}drop,exact: b.stamma 2\nb.stamma,2,keep,"exact: a, ""1"".stamma 1"\n`);
    const swapped = `${head}${first}keep,exact: b.stamma 2\nb.stamma,2,drop,"exact: a, ""1"".stamma 1"\n`;
    assert.equal(decisions.decisionsFile(pairs, new Map([[0, 'swap']])), swapped);
    // The second choice keeps the game that the first choice removes.
    assert.match(decisions.decisionsFile(pairs, new Map([[1, 'drop'], [0, 'swap']])), /^b\.stamma,2,keep,exact: a\.stamma 3$/m);
    assert.equal(decisions.commonMoves(['e2e4', 'e7e5'], ['e2e4']), 1);
    assert.equal(decisions.archiveOf('x/a.stamma', [{ name: 'b.stamma' }, { name: 'a.stamma', number: 1 }]).number, 1);
    assert.equal(decisions.archiveOf('c.stamma', [{ name: 'a.stamma' }]), null);
  },
  'links only to known sites'() {
    for (const text of ['https://lichess.org/abcdefgh', 'https://www.chess.com/game/live/1', 'https://lichess.org/abc?x=1#3']) assert.equal(links.safeAddress(text), text);
    assert.equal(links.safeAddress('http://www.chessgames.com/perl/chessgame?gid=1'), 'https://www.chessgames.com/perl/chessgame?gid=1');
    for (const text of ['?', 'Berlin', 'lichess.org/abc', 'javascript:alert(1)', 'https://lichess.org.evil.example/', 'https://evillichess.org/', 'https://lichess.org@evil.example/',
      'https://evil@lichess.org/', 'https://lichess.org:8080/', 'https://127.0.0.1/', 'https://localhost/', 'https://lichess.org/a b', 'see https://lichess.org/a', 'https://lichess.org/\u202ea',
      'https://l\u0456chess.org/', 'data:text/html,x', 'https://']) assert.equal(links.safeAddress(text), null, text);
  },
  'figures of engines are not words of people'() {
    const tcec = figures.figures('d=28, sd=31, mt=94800, tl=1708200, s=0, n=0, pv=d4 d5, tb=null, h=0.0, ph=0.0, wv=0.23, R50=50, Rd=-1000, Rr=-1000, mb=+0+0+0+0+0,');
    assert.deepEqual([tcec.pairs.length, tcec.pairs[6], tcec.rest, figures.figuresLabel(tcec)], [15, ['pv', 'd4 d5'], '', 'd28']);
    const ccc = figures.figures('+0.02/16 3.4s, ev=0.02, d=16, pd=h5, mt=00:00:03, pv=h4 h5 Nf3, tb=0, R50=50, wv=0.02');
    assert.deepEqual([ccc.pairs[2], ccc.rest], [['pd', 'h5'], '']);
    assert.equal(figures.figures('book, mb=+0+0+0+0+0,').rest, '');
    assert.equal(figures.figures('a novelty, d=1, sd=2, n=3').rest, 'a novelty');
    for (const text of ['book', '+0.35/15 12s', 'White is better, a draw', 'x=y is no figure, says Black', 'Qxf7 = mate', 'e8=Q, winning']) assert.equal(figures.figures(text), null, text);
    assert.ok(figures.isSettings('WhiteEngineOptions: Protocol=uci; Threads=101; Hash=98304;, BlackEngineOptions: Protocol=uci;'));
    assert.ok(!figures.isSettings('e8=Q and b1=N are both possible'));
  },
  'words'() {
    assert.equal(words.date({ date: '2010.05.??' }), '2010-05');
    assert.equal(words.date({ date: '????.??.??' }), '');
    assert.equal(words.date({ year: 2010, month: '2010-05' }), '2010-05');
    assert.deepEqual([words.percent(1, 3), words.percent(1, 300), words.percent(0, 3), words.percent(1, 0)], ['33 %', '0.3 %', '0 %', '0 %']);
    assert.deepEqual([words.percent(1, 2000), words.percent(1, 2001), words.percent(94, 10000), words.percent(1999, 2000)], ['0.1 %', '<0.1 %', '0.9 %', '100 %']);
    assert.deepEqual([words.result({ winner: 'white' }), words.result({ winner: null }), words.result({ result: '*' })], ['1–0', '½–½', '*']);
    assert.deepEqual([9.34, 9.96, 10, 61.5, 3600].map(words.clock), ['0:09.3', '0:09.9', '0:10', '1:01', '1:00:00']);
    for (let tenths = 0; tenths < 100; tenths += 1) assert.equal(words.clock(tenths / 10), `0:0${Math.floor(tenths / 10)}.${tenths % 10}`);
    assert.match(words.keptAsText('illegal_move'), /not legal/);
    assert.deepEqual([31, -5, 0, { mate: -3 }].map(words.evaluation), ['+0.31', '−0.05', '0.00', '#-3']);
    assert.deepEqual([0, 9999, 10000, 12500, 2500000].map(words.axis), ['0', '9,999', '10K', '12.5K', '2.5M']);
    assert.equal(words.comment('[%clk 0:01:00] good [%eval 0.3]'), 'good');
    assert.deepEqual([1, 2, 3].map(words.moveNumber), ['1.', '1…', '2.']);
  },
  'the moves of a position in an order'() {
    const row = (san, white, draws, black, more = {}) => ({ san, white, draws, black, averageRating: 0, performance: null, lastDate: null, ...more });
    const moves = [row('e4', 5, 1, 4, { bits: 1.5, lastDate: '2010-05', averageRating: 2500 }), row('d4', 5, 0, 5, { performance: 2700, lastDate: '2010-11' }),
      row('c4', 2, 2, 2, { games: 9, bits: 3, averageRating: 2600 }), row('Nf3', 0, 0, 0, { performance: -5, bits: 0 })];
    const sorted = (order, isWhite = true) => treeOrder.inOrder(moves, order, isWhite).map((move) => move.san).join(' ');
    assert.equal(sorted(''), 'e4 d4 c4 Nf3');
    assert.equal(sorted('games'), 'Nf3 c4 e4 d4', 'ties keep their order');
    assert.equal(sorted('-games'), 'e4 d4 c4 Nf3');
    assert.equal(sorted('-score'), 'e4 d4 c4 Nf3', 'no finished game: last');
    assert.equal(sorted('score'), 'd4 c4 e4 Nf3');
    assert.equal(sorted('-score', false), 'd4 c4 e4 Nf3', 'the score of Black');
    assert.deepEqual([sorted('-rating'), sorted('rating')], ['c4 e4 d4 Nf3', 'e4 c4 d4 Nf3']);
    assert.deepEqual([sorted('-performance'), sorted('bits'), sorted('-date')], ['d4 Nf3 e4 c4', 'Nf3 e4 c4 d4', 'd4 e4 c4 Nf3']);
    assert.deepEqual([sorted('move'), sorted('-move')], ['c4 d4 e4 Nf3', 'Nf3 e4 d4 c4']);
    const player = (wins, losses) => ({ player: { wins, draws: 0, losses, opponents: 2400 + wins, performance: null } });
    const own = [row('a3', 9, 0, 0, player(1, 1)), row('b3', 0, 0, 9, player(3, 1))];
    assert.deepEqual(['-score', 'rating'].map((order) => treeOrder.inOrder(own, order, true)[0].san), ['b3', 'a3']);
    const steps = (column) => { let order = ''; return [1, 2, 3].map(() => { order = treeOrder.nextOrder(order, column); return order; }).join(' '); };
    assert.deepEqual(['games', 'score', 'move'].map(steps), ['games  games', '-score score -score', 'move -move move']);
    assert.deepEqual(['', '-bits', 'move', 'x', '-', 'toString'].map(treeOrder.isOrder), [true, true, true, false, false, false]);
  },
  'spans add up and have one width'() {
    const rows = [1620, 1851, 1852, 2016].map((year, i) => ({ year, games: i + 1, white: 1, draws: 0, black: i }));
    const joined = charts.spans(rows, 'year', 40);
    assert.ok(joined.length <= 41 && joined.every((span) => span.to - span.from === joined[0].to - joined[0].from));
    assert.equal(joined.reduce((sum, span) => sum + span.games, 0), 10);
    assert.equal(joined.find((span) => span.from <= 1851 && 1851 <= span.to).games, 5);
    assert.deepEqual(charts.spans([], 'year', 40), []);
    assert.deepEqual([1, 4, 7, 99, 1234].map(charts.tick), [1, 1, 2, 20, 500]);
    assert.ok(chances.share(0) === 0.5 && chances.share(300) > 0.7 && chances.share({ mate: -1 }) === 0);
  },
  'months are shown one by one, or by years where they are many'() {
    const month = (text, white = 1) => ({ month: text, white, draws: 1, black: 0 });
    const few = charts.monthSpans([month('2013-11'), month('2014-01', 3)]);
    assert.deepEqual(few.map((row) => [row.from, row.to, row.games, row.white]), [['2013-11', '2013-11', 2, 1], ['2013-12', '2013-12', 0, 0], ['2014-01', '2014-01', 4, 3]]);
    const quarters = charts.monthSpans([month('2010-02'), month('2014-12')]);
    assert.deepEqual([quarters.length, quarters[0].from, quarters[0].to, quarters.at(-1).to], [20, '2010-01', '2010-03', '2014-12']);
    const years = charts.monthSpans([month('1851-06'), month('1851-07'), month('1862-01'), month('1880-12')]);
    assert.deepEqual([years.length, years[0].from, years[0].to, years[0].games, years.at(-1).from], [30, '1851', '1851', 4, '1880']);
    const decades = charts.monthSpans([month('1620-06'), month('2024-02')]);
    assert.ok(decades.length <= 41 && decades[0].from < decades[0].to && decades.reduce((sum, row) => sum + row.games, 0) === 4);
    assert.deepEqual(charts.monthSpans([]), []);
  },
  'filters are those of the address alone'() {
    assert.deepEqual(filters.filtersOf({ player: 'A', fen: 'x', speeds: '', rating: '2000..' }), { player: 'A', rating: '2000..' });
    assert.deepEqual([filters.filterInWords('rating', '2000..'), filters.filterInWords('speeds', 'rapid,blitz')], ['rated 2000–', 'rapid, blitz']);
    assert.deepEqual(['Tal', '=Wang,Y', '@wang-yi'].map((value) => filters.filterInWords('player', value)), ['player Tal', 'player exactly Wang,Y', 'person wang-yi']);
  },
  'presets are added and removed'() {
    const [masters, recent] = presets.builtIn();
    const both = presets.toggled(recent, presets.toggled(masters, { player: 'Tal' }));
    assert.deepEqual(Object.keys(both), ['player', 'rating', 'since']);
    assert.ok(presets.isActive(masters, both) && !presets.isActive(masters, { ...both, rating: '2300..' }));
    assert.deepEqual(presets.toggled(masters, both), { player: 'Tal', since: both.since });
    const stored = {};
    globalThis.localStorage = { getItem: (key) => stored[key] ?? null, setItem: (key, value) => { stored[key] = value; } };
    presets.save('mine', { player: 'Tal', archive: '1' });
    presets.save('other', { eco: 'B90' });
    presets.save('mine', { player: 'Tal, Mikhail' });
    assert.deepEqual(presets.saved(), [{ name: 'other', values: { eco: 'B90' } }, { name: 'mine', values: { player: 'Tal, Mikhail' } }]);
    presets.remove('other');
    assert.equal(presets.saved().length, 1);
    for (const text of ['{', '{}', '[1, null, {"name": "a"}, {"name": "a", "values": {"eco": 5}}]']) {
      stored.presets = text;
      assert.deepEqual(presets.saved(), []);
    }
  },
  'answers are kept, the newest of them'() {
    for (let i = 0; i < 300; i += 1) answers.keep(String(i), i);
    assert.deepEqual([answers.recall('299'), answers.recall('100'), answers.recall('99'), answers.recall('x')], [299, 100, undefined, undefined]);
    assert.equal(answers.keep('x', 'y'), 'y');
    const { now } = Date;
    Date.now = () => now() + 6 * 60 * 1000;
    assert.equal(answers.recall('299'), undefined, 'not for ever');
    Date.now = now;
    answers.forget();
    assert.equal(answers.recall('298'), undefined);
  },
  async 'calls that follow quickly are one call'() {
    let calls = 0;
    const { call, stop } = rest.whenAtRest(() => { calls += 1; });
    const sleep = (ms) => new Promise((done) => { setTimeout(done, ms); });
    for (let i = 0; i < 16; i += 1) call();
    assert.equal(calls, 1, 'the first at once');
    await sleep(300);
    assert.equal(calls, 2, 'and the last');
    call();
    call();
    stop();
    await sleep(300);
    assert.equal(calls, 3);
  },
  'a line of a game'() {
    const game = { san: ['e4'], uci: ['e2e4'], comments: [], nags: [], variations: [{ ply: 1, within: null, san: ['d4'], uci: ['d2d4'], comments: [], nags: [] }] };
    assert.equal(notation.lineOf(game, null).san[0], 'e4');
    assert.deepEqual([notation.lineOf(game, 0).first, notation.lineOf(game, 0).san[0]], [1, 'd4']);
  },
  'the rules'() {
    assert.equal(rules.legalMoves(rules.INITIAL).length, 20);
    assert.deepEqual(rules.legalMoves('nonsense'), []);
    const line = ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1c4', 'f8c5'];
    for (const castling of ['e1g1', 'e1h1']) {
      const { fens, moves } = rules.play(rules.INITIAL, [...line, castling]);
      assert.deepEqual([fens.length, moves[6].san, moves[6].uci], [8, 'O-O', 'e1g1']);
    }
    assert.equal(rules.play(rules.INITIAL, ['e2e4', 'e2e4', 'e7e5']).moves.length, 1, 'as far as it is legal');
  },
  'Chess960: castling is king takes rook'() {
    const castling = (fen) => rules.legalMoves(fen).filter((move) => move.san.startsWith('O')).map((move) => move.uci);
    assert.deepEqual(castling('1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1'), ['c1b1']);
    assert.deepEqual(castling('rk5r/8/8/8/8/8/8/RK5R w KQkq - 0 1'), ['b1h1', 'b1a1']);
  },
  'a typed move'() {
    const moves = rules.legalMoves('r3k2r/8/8/8/8/8/4p3/R3K1NR b kq - 0 1');
    assert.equal(rules.readMove(moves, '0-0').uci, 'e8g8');
    assert.equal(rules.readMove(moves, ' exd1') ?? null, null);
    assert.equal(rules.readMove(rules.legalMoves(rules.INITIAL), 'Nf3').uci, 'g1f3');
    assert.equal(rules.readMove(rules.legalMoves(rules.INITIAL), 'g1f3').san, 'Nf3');
    assert.equal(rules.readMove(rules.legalMoves('k7/8/8/8/8/8/8/KR5R w - - 0 1'), 'Rd1'), null, 'two rooks can');
  },
  'where a game had a position'() {
    const { fens } = rules.play(rules.INITIAL, ['e2e4', 'c7c5', 'g1f3']);
    assert.equal(rules.plyOf(fens, 'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2'), 2);
    assert.equal(rules.plyOf(fens, '8/8/8/8/8/8/8/8 w - - 0 1'), -1);
    assert.match(rules.inWords(fens[1]), /^Black to move\. White: king e1, queen d1, .*pawn e4/);
  },
};

Object.assign(checks, {
  'the digits of a code and its fields'() {
    const part = (first, length, value, text) => ({ first, bits: length, value, text });
    const answer = { codes: { tarrasch: 65, san: 'Nf3', bcgn: 53, fen: 'x', packed: '12:abc0', forced: 0, arithmetic: '026e', none: null,
      bits: { tarrasch: 8, san: 24, bcgn: 8, packed: 12, forced: 0, arithmetic: 8, none: null },
      parts: { tarrasch: [part(0, 4, 4, 'pawn 4'), part(4, 2, 0, 'none'), part(6, 2, 1, 'push')], san: [part(0, 8, 78, 'knight'), part(8, 16, 26163, 'target')], packed: [part(0, 5, 21, 'a')],
        bcgn: [part(0, 0, 0, 'types'), part(0, 0, 48, 'squares'), part(0, 0, 5, 'move')], forced: [], arithmetic: [part(0, 8, 2, 'varint'), part(8, 0, 30990, 'likely')] } },
    fallbacks: { tarrasch: 'queens' }, missing: { none: 'has no null move' } };
    const code = (encoding, of = 'move in position', text = false) => bits.codeOf({ encoding, of, text }, answer);
    const joined = (one) => bits.segments(one).map(({ digits, field }) => `${digits}/${field}`).join(' ');
    assert.equal(joined(code('tarrasch')), '0100/0 00/1 01/2');
    assert.deepEqual([code('tarrasch').value, code('tarrasch').hex, code('tarrasch').fallback], ['65', '0x41', 'queens']);
    assert.equal(joined(code('san', 'move in position', true)), 'N/0 f3/1');
    assert.equal(joined(code('bcgn')), '00110101/-1');
    assert.ok(bits.isSum(code('bcgn')) && !bits.isSum(code('tarrasch')) && !bits.isSum(code('arithmetic', 'game')));
    assert.equal(joined(code('packed', 'position')), '10101/0 0111100/-1');
    assert.equal(joined(code('arithmetic', 'game')), '00000010/0 01101110/-1');
    assert.deepEqual([code('forced').units, code('forced').bits, code('none').missing], ['', 0, 'has no null move']);
    assert.equal(bits.digitsOf(code('tarrasch'), part(4, 2)), '00');
  },
  'a typed code'() {
    const of = (kind, length, text = false) => ({ info: { of: kind, text }, bits: length });
    assert.equal(bits.typedValue(' 0100 0001 ', of('move', 8)), '0b01000001');
    for (const text of ['10', '65', '0x41', '0b1']) assert.equal(bits.typedValue(text, of('move', 8)), text);
    assert.equal(bits.typedValue('e2e4 ', of('move', 32, true)), 'e2e4');
    assert.equal(bits.typedValue('0x02 6E', of('game', 8)), '026e');
    assert.equal(bits.typedValue('47:01c2', of('position', 47)), '47:01c2');
  },
  'sizes add up'() {
    const rows = sizes.sizeRows({ b: [8, 8, 8], a: [5, 0, 6], none: [1, null, 1] }, 2);
    assert.deepEqual(rows.map((row) => [row.name, row.total, row.here, row.perPly, row.missing]), [['a', 5, 0, 2.5, 0], ['b', 16, 8, 8, 0], ['none', 1, 0, 0.5, 1]]);
    assert.equal(sizes.sizeRows({ a: [1] }, 0)[0].perPly, 0);
    assert.deepEqual([5.5, 33.46].map(sizes.perPly), ['5.50', '33.5']);
  },
  'boards have each square once, at the index of its representation'() {
    const corners = { 'mailbox-10x12': ['21', '98'], 'mailbox-12x12': ['26', '117'], 'array-8x8': ['0', '63'], 'array-16x16': ['00', '77'], x88: ['00', '77'], 'nibble-rows': ['0', '63'],
      'piece-list': ['0', '63'], bitboard: ['0', '63'] };
    assert.deepEqual(Object.keys(corners), boards.BOARD_NAMES);
    for (const name of boards.BOARD_NAMES) {
      const cells = boards.boardRows(name).flat();
      assert.deepEqual(cells.map((one) => one.square).filter((square) => square !== null).sort((a, b) => a - b), Array.from({ length: 64 }, (_, i) => i), name);
      assert.deepEqual([0, 63].map((square) => cells.find((one) => one.square === square).text), corners[name]);
    }
  },
  async 'the squares that a generator reaches are the pseudo-legal moves'() {
    const { Chess } = await import('./chess.js/dist/esm/chess.js');
    /* Pseudo-legal destinations of chess.js, which numbers squares 16 x (8 - rank) + file. Castling is omitted. */
    const expected = (fen, from) => {
      const square = `${'abcdefgh'[from & 7]}${(from >> 3) + 1}`;
      const moves = new Chess(fen)._moves({ legal: false, square }).filter((move) => !(move.flags & (32 | 64)));
      return [...new Set(moves.map((move) => 8 * (7 - (move.to >> 4)) + (move.to & 7)))].sort((a, b) => a - b);
    };
    let [positions, pieces, seed] = [0, 0, 1];
    const random = (n) => { seed = (seed * 48271) % 2147483647; return seed % n; };
    const starts = [rules.INITIAL, 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1', '8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1', 'rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8'];
    for (const start of starts) {
      const game = new Chess(start);
      for (let ply = 0; ply < 60 && !game.isGameOver(); ply += 1) {
        const fen = game.fen();
        const position = boards.positionOf(fen);
        positions += 1;
        position.pieces.forEach((letter, from) => {
          if (letter === '' || boards.colourOf(letter) !== position.side) return;
          pieces += 1;
          for (const name of boards.BOARD_NAMES) {
            const goes = boards.walk(name, position, from).filter((one) => one.goes);
            assert.deepEqual(goes.map((one) => one.square).sort((a, b) => a - b), expected(fen, from), `${name}, ${from} in ${fen}`);
          }
        });
        const moves = game.moves();
        game.move(moves[random(moves.length)]);
      }
    }
    assert.ok(positions > 100 && pieces > 1000);
  },
  'walks stop at guards and pieces, in the order of the generators'() {
    const position = boards.positionOf(rules.INITIAL);
    const words = (name, from) => boards.walk(name, position, from).map((one) => `${one.text}:${one.found}`).join(' ');
    assert.equal(words('mailbox-10x12', 6), '48:empty 39:guard 19:guard 8:guard 6:guard 15:guard 35:own piece 46:empty');
    assert.equal(words('mailbox-12x12', 0), '38:own piece 27:own piece 14:guard 25:guard');
    assert.equal(words('x88', 0), '10:own piece 01:own piece F0:& 88 is not 0 FF:& 88 is not 0');
    assert.equal(words('array-16x16', 7), '17:own piece 08:guard F7:guard 06:own piece');
    assert.equal(words('array-8x8', 8), '16:empty 24:empty :off the board 17:empty');
    assert.equal(words('nibble-rows', 0), '8:own piece 1:own piece');
    assert.equal(words('bitboard', 1), '16:empty 18:empty');
    assert.equal(words('piece-list', 12), '20:empty 28:empty 21:empty 19:empty');
  },
  'words of boards'() {
    const fen = 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1';
    assert.deepEqual(boards.nibbleWords(fen), ['72365327', '11101111', '00000000', '00080000', '00000000', '00000000', '99999999', 'FABEDBAF', '00018000']);
    assert.equal(boards.nibbleWords(rules.INITIAL)[8], '00010000');
    const position = boards.positionOf(fen);
    assert.deepEqual(boards.bitboardWords(position).slice(0, 3).map(([name, set]) => [name, boards.wordOf(set)]),
      [['White', '0x000000001000EFFF'], ['Black', '0xFFFF000000000000'], ['pawns', '0x00FF00001000EF00']]);
    assert.equal(boards.wordOf(boards.attackSet(position, 1)), '0x0000000000050800');
    assert.equal(boards.wordOf(boards.attackSet(position, 28)), '0x0000002800000000');
    assert.deepEqual(boards.pieceList(position).slice(0, 2).map((one) => [one.number, one.letter, one.square]), [[0, 'K', 4], [1, 'R', 0]]);
    assert.deepEqual(boards.pieceList(position)[16], { number: 16, letter: 'k', square: 60 });
    assert.deepEqual(['mailbox-10x12', 'x88', 'array-8x8'].map((name) => boards.stepText(name, [2, -1])), ['+19', '+1F', '2, −1']);
    const values = (name, cells) => cells.map((square) => boards.valueAt(name, position, { square }));
    assert.deepEqual([values('mailbox-10x12', [4, 60, 27, null]), values('x88', [4, 60, 27, null]), values('array-16x16', [4, 60, 27, null])], [['6', '-6', '0', '99'], ['6', '14', '0', '0'], ['1', '17', '0', '33']]);
  },
  'names of a player'() {
    for (const [value, wanted] of [['Tal', ['Tal']], ['=Wang,Y', ['=Wang,Y']], ['', []], ['a|b', ['a|b']], ['=Carlsen,M|=DrNykterstein|@x', ['=Carlsen,M', '=DrNykterstein', '@x']],
      ['Tal|=Tal, M', ['Tal', '=Tal, M']], ['=a||=b', ['=a|=b']], ['=a|||=b', ['=a|', '=b']], ['=a|', ['=a|']]]) {
      assert.deepEqual(names.splitNames(value), wanted, value);
      assert.equal(names.joinNames(wanted), value);
    }
    assert.equal(names.joinNames(['=b', 'a', '=b', '']), 'a|=b');
    assert.equal(names.nameIn('=Wang,Y|@wang-1'), 'Wang,Y + wang-1');
    assert.equal(names.playerInWords('Wang|=Wang,Y|@wang-1'), 'Wang or exactly Wang,Y or person wang-1');
    assert.equal(filters.filterInWords('white', '=Tal, M|=Tal,M'), 'White exactly Tal, M or exactly Tal,M');
  },
  'names that are suggested'() {
    const [exact, longer, similar] = [{ name: 'Wang,Y', games: 1 }, { name: 'Wang,Yiye', games: 9 }, { name: 'Wong,Y', games: 3, similar: true }];
    assert.deepEqual(nearest('=Wang,Y', [exact, longer]), []);
    assert.deepEqual(nearest('=WANG,Y', [exact]), []);
    assert.deepEqual(nearest('=Wang,Y', [longer]), [longer]);
    assert.deepEqual(nearest('Wang,Y', [longer]), []);
    assert.deepEqual(nearest('Wang,Y', [similar]), [similar]);
  },
  'examples are legal'() {
    for (const [name, moves, fen] of EXAMPLES) assert.equal(rules.play(fen ?? rules.INITIAL, moves.split(',')).moves.length, moves.split(',').length, name);
  },
});

// ---- the supplier of answers ----

const SUPPLIER = 'base/server_supplier.js'; // the only module that may use the network

const answerWith = (status, body) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status, text: async () => text, lines: async (each) => text.split('\n').filter(Boolean).forEach(each) };
};

/* Calls act() with a supplier of these answers, by method and path. Returns the requests that it was asked. */
async function suppliedWith(answers, act) {
  const asked = [];
  supplier.useSupplier({
    async request(method, path, params, options = {}) {
      asked.push([method, path, address.query(params), options]);
      const found = answers[`${method} ${path}`];
      if (found instanceof Error) throw found;
      options.progress?.(3, true);
      return found ?? answerWith(404, { error: 'nothing' });
    },
    fileAddress: (path, params) => `blob:${path}?${address.query(params)}`,
  });
  try { await act(); } finally { supplier.useSupplier(serverSupplier); }
  return asked;
}

Object.assign(checks, {
  'only the supplier uses the network, and only api.js asks the supplier'() {
    const root = new URL('./', import.meta.url);
    const modules = ['.', ...Object.keys(FOLDERS)].flatMap((folder) => readdirSync(new URL(`${folder}/`, root)).filter((name) => name.endsWith('.js') && name !== 'chess.js').map((name) => (folder === '.' ? name : `${folder}/${name}`)));
    const having = (pattern) => modules.filter((name) => pattern.test(readFileSync(new URL(name, root), 'utf8').replace(/^ *(\/\*|\*|\/\/).*$/gm, ''))).sort();
    assert.ok(modules.length > 60);
    assert.deepEqual(having(/\bfetch\(|XMLHttpRequest|EventSource|WebSocket|sendBeacon|new Request\(/), ['base/pieces.js', SUPPLIER, 'service_worker.js']); // the drawings of pieces are a file of the page, and the service worker keeps its files
    assert.deepEqual(having(/supplier\(\)/), ['base/api.js']);
    assert.deepEqual(having(/(href|src|action)(:| =) ['"`](?!#)/), [], 'addresses of answers are those of file()');
  },
  async 'archives that change'() {
    const [a, b, own] = [{ number: 0, name: 'a', games: 1000, version: 1 }, { number: 1, name: 'b', games: 1, version: 2 }, { number: 2, name: 'c.pgn', games: 5, version: 3, uploaded: true }];
    const words = sources.changesInWords;
    assert.equal(words([a], [{ ...a, games: 1016, version: 9 }]), '1,016 games now (16 new)');
    assert.equal(words([a, b], [{ ...a, games: 999 }, b]), 'a: 999 games now');
    assert.equal(words([a, own], [a, b]), 'b is new: 1 game. c.pgn is gone: the server keeps opened files only until it ends');
    assert.equal(words([a], [{ ...a, version: 7 }]), '');
    assert.ok(sources.differ([a], [{ ...a, version: 7 }]) && !sources.differ([a, own], [a, own]));
    assert.deepEqual([sources.usual([a, own, b]), sources.usual([own]), sources.usual([])], [[0, 1], [2], []]);
    let list = [a, b, own];
    const answer = () => suppliedWith({ 'GET archives': list ? answerWith(200, list) : answerWith(500, 'oops') }, sources.loadSources);
    await answer();
    assert.deepEqual([[1, 0], [2, 0], [0, 1, 2], []].map(menu.valueOf), ['', '0,2', '0,1,2', '']);
    assert.deepEqual(['', '1', '0,2', '7'].map(menu.chosenInWords), ['All archives', 'b', '2 archives', 'Archive 7 (closed)']);
    list = null;
    await answer();
    assert.equal(sources.sources().length, 3, 'the list is kept while the server cannot answer');
  },
  'results of endgames in words'() {
    const [white, black] = ['8/8/8/8/8/8/8/K1k5 w - - 0 1', '8/8/8/8/8/8/8/K1k5 b - - 0 1'];
    const words = (category, fen, more = {}) => tablebase.resultInWords({ category, dtz: 0, ...more }, fen);
    assert.deepEqual([words('win', white, { dtz: 15 }), words('loss', black, { dtz: -1 })], [['White wins', '15 plies to a capture, a pawn move or mate'], ['Black loses', '1 ply to a capture, a pawn move or mate']]);
    assert.deepEqual(['draw', 'cursed-win', 'blessed-loss', 'maybe-win', 'unknown'].map((one) => words(one, white)[0]),
      ['Drawn', 'Drawn by the rule of 50 moves', 'Drawn by the rule of 50 moves', 'White wins, or it is drawn by the rule of 50 moves', 'No tablebase has this position']);
    assert.deepEqual([words('loss', black, { checkmate: true }), words('draw', white, { stalemate: true }), words('draw', white, { insufficient_material: true })].map(([one]) => one), ['Black is mated', 'Stalemate', 'Drawn: no side can mate']);
    const moves = ['loss', 'draw', 'loss', 'cursed-win', 'blessed-loss', 'win'].map((category, i) => ({ category, san: String(i) }));
    assert.deepEqual(tablebase.kinds(moves).map(([kind, list]) => [kind, list.map((one) => one.san).join('')]), [['Winning', '02'], ['Drawing', '1'], ['Drawing by the rule of 50 moves', '34'], ['Losing', '5']]);
  },
  async 'the page asks any supplier'() {
    const game = { id: 'a b', white: 'A', eval_cp: [10, null], mate: [null, 3], clock_ms: [1500, null], fens: ['x', 'y'] };
    const answers = {
      'GET lichess': answerWith(200, { white: 1, moves: [] }), 'GET game/a%20b': answerWith(200, game), 'GET find': answerWith(200, '{"game":{"id":"a"}}\n{"done":true,"count":1}\n'),
      'GET stats': answerWith(400, { error: 'query, byte 3: no rule' }), 'GET report': answerWith(500, 'oops'), 'GET orders': answerWith(200, 'oops'), 'GET engine': answerWith(200, '{"depth":1}\n'),
      'GET archives': Object.assign(new Error('away'), { name: 'Unreachable' }), 'POST uploads': answerWith(200, { number: 4 }), 'DELETE uploads/4': answerWith(204, ''),
    };
    const file = { name: 'ö.pgn', size: 3 };
    const [lines, sent] = [[], []];
    const asked = await suppliedWith(answers, async () => {
      assert.deepEqual(await api.tree({ play: 'e2e4', archive: '1' }), { white: 1, moves: [] });
      assert.deepEqual((await api.game('a b', {})).evals, [10, { mate: 3 }]);
      assert.deepEqual(await api.findStream({ player: 'Tal' }, (line) => lines.push(line)), { done: true, count: 1 });
      await assert.rejects(api.stats({}), (error) => error.message === 'no rule' && error.final);
      await assert.rejects(api.report({}), (error) => /status 500/.test(error.message) && !error.final);
      await assert.rejects(api.orders({}), /not JSON/);
      await assert.rejects(api.analyse({}, () => {}), /incomplete/);
      await assert.rejects(api.archives(), { name: 'Unreachable', message: 'away' });
      assert.deepEqual(await api.upload(file, (...progress) => sent.push(progress), null), { number: 4 });
      await api.closeUpload(4);
      assert.equal(api.file('find', { archive: '2', format: 'csv' }), 'blob:find?format=csv&archive_number=2');
    });
    assert.deepEqual([lines, sent], [[{ game: { id: 'a' } }], [[3, true]]]);
    assert.deepEqual(asked.slice(0, 3).map((one) => one.slice(0, 3)), [['GET', 'lichess', 'moves=500&topGames=4&recentGames=4&bits=1&openings=1&play=e2e4&archive_number=1'], ['GET', 'game/a%20b', 'openings=1'], ['GET', 'find', 'player=Tal&stream=1']]);
    assert.deepEqual([asked.at(-2).slice(0, 3), asked.at(-2)[3].body === file, asked.at(-1).slice(0, 3)], [['POST', 'uploads', 'name=%C3%B6.pgn'], true, ['DELETE', 'uploads/4', '']]);
  },
});

// ---- the supplier whose worker answers ----

/* Replaces Worker. Returns the workers that were made: {sent, ended, receive(message)}. */
function fakeWorkers() {
  const workers = [];
  globalThis.Worker = class {
    constructor() { Object.assign(this, { sent: [], ended: false, listeners: {} }); workers.push(this); }
    addEventListener(type, act) { this.listeners[type] = act; }
    postMessage(message) { this.sent.push(structuredClone(message)); }
    terminate() { this.ended = true; }
    receive(data) { this.listeners.message({ data }); }
  };
  return workers;
}

const bytesOf = (text) => new TextEncoder().encode(text);

Object.assign(checks, {
  async 'a worker answers in pieces'() {
    const [workers, lines] = [fakeWorkers(), []];
    const { request, fileAddress, isLocal } = createWorkerSupplier('w.js', 'site.json');
    const [first, second] = [request('GET', 'find', { player: 'Tal', archive_number: '' }), request('GET', 'nothing', {})];
    const [worker] = workers;
    assert.deepEqual(worker.sent.map(({ open, id, path, query }) => open ?? [id, path, query]), [{ site: 'site.json', made: [] }, [1, 'find', 'player=Tal'], [2, 'nothing', '']]);
    worker.receive({ id: 1, status: 200 });
    const { status, lines: read } = await first;
    const done = read((line) => lines.push(line));
    for (const piece of ['{"a"', ':"ö"}\n{', '}\n']) worker.receive({ id: 1, piece: bytesOf(piece) });
    worker.receive({ id: 1, end: true });
    await done;
    assert.deepEqual([status, lines, isLocal, fileAddress('find', { format: 'pgn' })], [200, ['{"a":"ö"}', '{}'], true, 'stamma:find?format=pgn']);
    worker.receive({ id: 2, status: 404 });
    const missing = await second;
    worker.receive({ id: 2, piece: bytesOf('{}') });
    worker.receive({ id: 2, failed: 'memory' });
    assert.equal(missing.status, 404);
    await assert.rejects(missing.text(), /memory/);
  },
  async 'a worker that does not end is replaced'() {
    const workers = fakeWorkers();
    const { request } = createWorkerSupplier('w.js', null);
    const stop = new AbortController();
    const seen = [];
    workers[0].receive({ made: { name: 'a' } });
    workers[0].receive({ made: null });
    workers[0].receive({ made: { name: 'c' } });
    workers[0].receive({ closed: 0 });
    const packed = request('POST', 'uploads', { name: 'd' }, { body: 'games', signal: stop.signal, progress: (...all) => seen.push(all) });
    const listed = request('GET', 'archives', {});
    workers[0].receive({ id: 1, progress: [3, false] });
    stop.abort();
    workers[0].receive({ id: 1, progress: [4, false] });
    await assert.rejects(packed, { name: 'AbortError' });
    await new Promise((go) => { setTimeout(go, 600); });
    assert.deepEqual([seen, workers.length, workers[0].ended], [[[3, false]], 2, true]);
    assert.deepEqual(workers[1].sent.map(({ open, id, path }) => open?.made ?? [id, path]), [[null, null, { name: 'c' }], [2, 'archives']]);
    workers[1].receive({ id: 2, status: 200 });
    workers[1].receive({ id: 2, piece: bytesOf('[]') });
    workers[1].receive({ id: 2, end: true });
    assert.equal(await (await listed).text(), '[]');
    workers[1].receive({ stopped: true });
    assert.deepEqual([workers.length, workers[1].ended], [3, true], 'memory is exhausted');
    workers[2].receive({ failed: 'no files' });
    await assert.rejects(request('GET', 'archives', {}), { name: 'Unreachable', message: /no files/ });
  },
});

await runChecks(checks);
