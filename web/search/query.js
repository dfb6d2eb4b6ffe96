/* SPDX-License-Identifier: MIT */
// The query of a form's values, and the form's values of a query (doc/reference/search.md). The values are texts with the names of
// the address's parameters; an omitted value is ''.

import { balanceOf, balanceRule } from './balances.js';
import { pawnRule, structureOf } from './structures.js';
import { conditionOf, stepOf } from './steps.js';

const COLOURS = { w: 'white', b: 'black' };
const TURNS = ['shift', 'mirror', 'flipcolor'];
const MODIFIERS = [...TURNS, 'for', 'gap']; // of the other rules in their condition

function parse(text, what) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`${what} are not JSON: ${error.message}`);
  }
  return value;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

/** Returns the steps of the value `steps`: rows of the form. Texts that are no list have none. */
export function stepsOf(text) {
  try {
    const list = JSON.parse(text || '[]');
    return Array.isArray(list) ? list.filter(isObject).map(stepOf) : [];
  } catch {
    return [];
  }
}

/** Returns the value of rows of the form. Rows that are not filled in are omitted. */
export const stepsText = (steps) => { const list = steps.map(conditionOf).filter(Boolean); return list.length > 0 ? JSON.stringify(list) : ''; };

function sequenceRule({ steps, gap, stepsflip }) {
  const list = steps ? parse(steps, 'The steps') : [];
  if (!Array.isArray(list) || list.length === 0) return null;
  const rule = gap === 'next' ? { streak: list } : { sequence: list, ...(gap && { gap: Number(gap) }) };
  return { ...(stepsflip && { flipcolor: true }), ...rule };
}

function pathRule({ path, pathflip }) {
  return path && { ...(pathflip && { flipcolor: true }), path };
}

function structureRule({ pawns, pawnsall, pawnsmirror, pawnsflip }) {
  const rule = pawns && pawnRule(pawns, Boolean(pawnsall));
  return rule && { ...(pawnsmirror && { mirror: true }), ...(pawnsflip && { flipcolor: true }), ...rule };
}

/* Returns the rules of the board and of the single fields. */
function baseRules(values) {
  const query = {};
  if (values.sub) {
    query['sub-fen'] = values.sub;
    for (const name of TURNS) if (values[name]) query[name] = true;
  }
  if (values.side) query['side-to-move'] = COLOURS[values.side] ?? values.side;
  if (values.material) query.material = values.material.replace(/\s/g, '');
  if (values.move) query.move = values.move;
  if (values.moment) query['move-number'] = values.moment;
  if (values.comment) query.comment = values.comment;
  return query;
}

function furtherRules(text) {
  if (!text) return null;
  const more = parse(text, 'The further conditions');
  if (!isObject(more)) throw new Error('The further conditions are no JSON object, such as {"mate": true}.');
  return more;
}

const anywhere = (rule) => ({ not: { never: rule } });

/** Returns the query for a form's values; {} if they select nothing. `query` contains further conditions: throws an
 * error if it is invalid JSON. A sequence or a path may begin at any ply of the game, unless `together` is set. */
export function toQuery(values) {
  const base = baseRules(values);
  const places = [structureRule(values), balanceRule(values), furtherRules(values.query)].filter(Boolean);
  const lines = [sequenceRule(values), pathRule(values)].filter(Boolean);
  const anchored = Object.keys(base).length > 0 || places.length > 0;
  const parts = [...places, ...lines.map((rule, i) => (values.together || (!anchored && i === 0) ? rule : anywhere(rule)))];
  if (parts.length === 0) return base;
  // A part of a position at the top is that of the board.
  if (Object.keys(base).length === 0 && parts.length === 1 && !('sub-fen' in parts[0] && values.pawns)) return parts[0];
  return { ...base, all: parts };
}

// ---- from a query to the form ----

const isModified = (condition) => Object.keys(condition).some((key) => MODIFIERS.includes(key));
const SIDED = { 'white-move': 'white', 'black-move': 'black' };

function splitRule([key, value]) {
  if (key === 'all' && Array.isArray(value) && value.every(isObject)) return value.flatMap(split);
  return SIDED[key] ? [{ by: SIDED[key] }, { move: value }] : [{ [key]: value }];
}

/* Splits a condition into conditions that must all hold. A condition with modifiers is one of them. */
function split(condition) {
  return isModified(condition) ? [condition] : Object.entries(condition).flatMap(splitRule);
}

const rulesOf = (condition) => split(condition).flatMap((one) => (isModified(one) && one !== condition ? [['', one]] : Object.entries(one)));

/* Returns a text that is the same for queries that only differ in the order of their rules. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(typeof value === 'number' ? String(value) : value);
  return `{${rulesOf(value).map(([key, rule]) => `${key}:${key === 'all' && Array.isArray(rule) ? rule.map(canonical).sort().join() : canonical(rule)}`).sort().join()}}`;
}

const only = (condition, ...keys) => Object.keys(condition).every((key) => keys.includes(key));

function sequenceOf(condition) {
  const list = condition.sequence ?? condition.streak;
  if (!Array.isArray(list) || !list.every(isObject) || !only(condition, 'flipcolor', ...(condition.sequence ? ['sequence', 'gap'] : ['streak']))) return null;
  return { steps: JSON.stringify(list.map((one) => conditionOf(stepOf(one)))), gap: condition.streak ? 'next' : String(condition.gap ?? ''), stepsflip: condition.flipcolor ? '1' : '' };
}

function lineOf(condition) {
  if ('path' in condition) return only(condition, 'flipcolor', 'path') && typeof condition.path === 'string' ? { path: condition.path, pathflip: condition.flipcolor ? '1' : '' } : null;
  return sequenceOf(condition);
}

function pawnsOf(condition) {
  if (!only(condition, 'flipcolor', 'mirror', 'pawns', 'sub-fen')) return null;
  const structure = structureOf(condition);
  return structure && { pawns: structure.text, pawnsall: structure.exactly ? '1' : '', pawnsmirror: condition.mirror ? '1' : '', pawnsflip: condition.flipcolor ? '1' : '' };
}

const BASE = { 'side-to-move': (side) => ({ side: { white: 'w', black: 'b' }[side] }), material: (material) => ({ material }), move: (move) => ({ move }),
  'move-number': (moment) => ({ moment: String(moment) }), comment: (comment) => ({ comment }) };

/* Returns the values of one condition; null if the form has no field for it. */
function valuesOf(condition) {
  const [key] = Object.keys(condition);
  if (Object.keys(condition).length === 1 && BASE[key]) return BASE[key](condition[key]);
  const inner = key === 'not' && condition.not?.never;
  if (isObject(inner) && Object.keys(condition).length === 1) return lineOf(inner);
  return lineOf(condition) ?? pawnsOf(condition) ?? balanceOf(condition);
}

/* Returns the rules of the board at the top of a query, and the other conditions. */
function boardOf(query) {
  if (!('sub-fen' in query)) return [{}, split(query)];
  const { 'sub-fen': sub, shift, mirror, flipcolor, ...rest } = query;
  return [{ sub, shift: shift ? '1' : '', mirror: mirror ? '1' : '', flipcolor: flipcolor ? '1' : '' }, split(rest)];
}

const merged = (values) => {
  const difference = values.map((one) => one.difference).filter(Boolean).join(',');
  const all = Object.assign({}, ...values.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value))));
  return { ...all, ...(difference && { difference }) };
};

/** Returns the form's values of a query; null if the form cannot show the complete query. */
export function fromQuery(query) {
  const [board, conditions] = boardOf(query);
  const found = conditions.map(valuesOf);
  if (found.includes(null)) return null;
  const values = merged([board, ...found]);
  const fits = (more) => canonical(toQuery({ ...values, ...more })) === canonical(query);
  try {
    return fits({}) ? values : fits({ together: '1' }) ? { ...values, together: '1' } : null;
  } catch {
    return null;
  }
}

// ---- with the filters ----

/* Returns the rules of filters, with the names of a query. */
function filterRules({ player, color, speeds, since, until, ...values }) {
  const rules = Object.fromEntries(['white', 'black', 'result', 'rating', 'eco', 'opening', 'event', 'flag'].filter((name) => values[name]).map((name) => [name, values[name]]));
  if (player) rules[color || 'player'] = player;
  if (since || until) rules.date = `${since ?? ''}..${until ?? ''}`;
  if (speeds) rules.speed = speeds.includes(',') ? speeds.split(',') : speeds;
  return rules;
}

/** Returns the complete query of a search's address: its form and its filters. */
export function questionOf(params) {
  const [rules, query] = [filterRules(params), toQuery(params)];
  if (Object.keys(rules).length === 0) return query;
  return Object.keys(query).length === 0 ? rules : { ...rules, all: [query] };
}

/** Quotes a text for the shell. */
const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** Returns the line of `stamma find` that finds the same games. values: the filters of the address, and `sort`. archives:
 * the names of the files. */
export function commandOf(query, values, archives) {
  const options = { ...filterRules(values), ...(values.sort && { sort: values.sort }) };
  // Only a query has lists.
  const lists = Object.fromEntries(Object.entries(options).filter(([, value]) => Array.isArray(value)));
  const isEmpty = (one) => Object.keys(one).length === 0;
  const whole = isEmpty(lists) ? query : { ...lists, ...(!isEmpty(query) && { all: [query] }) };
  const words = ['stamma', 'find', ...archives, ...Object.entries(options).filter(([name]) => !lists[name]).flatMap(([name, value]) => [`--${name}`, value]),
    ...(isEmpty(whole) ? [] : ['--query', JSON.stringify(whole)])];
  return words.map(quoted).join(' ');
}
