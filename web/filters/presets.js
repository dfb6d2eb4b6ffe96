/* SPDX-License-Identifier: MIT */
// Presets: named filters. Some are built in; others are saved in the browser.

const KEY = 'presets';

const since = (years) => String(new Date().getFullYear() - years);

/** Returns the presets that every user has: {name, values}. They are added to other filters. */
export const builtIn = () => [
  { name: 'Masters 2400+', values: { rating: '2400..' } }, { name: 'Last five years', values: { since: since(5) } },
  { name: 'Rapid and classical', values: { speeds: 'rapid,classical' } },
];

const isPreset = (one) => typeof one?.name === 'string' && typeof one.values === 'object' && one.values !== null
  && Object.values(one.values).every((value) => typeof value === 'string');

/** Returns the saved presets. They replace all filters except the archive. */
export function saved() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]').filter(isPreset);
  } catch {
    return []; // no storage, or something else is stored there
  }
}

function store(presets) {
  try { localStorage.setItem(KEY, JSON.stringify(presets)); } catch { /* no storage: the preset is lost */ }
}

/** Saves filters under a name. A preset of the same name is replaced. */
export function save(name, values) {
  const { archive, ...kept } = values; // numbers of archives depend on the server
  store([...saved().filter((one) => one.name !== name), { name, values: kept }]);
}

export const remove = (name) => store(saved().filter((one) => one.name !== name));

/** Returns whether all filters of a preset are active. */
export const isActive = (preset, values) => Object.entries(preset.values).every(([name, value]) => values[name] === value);

/** Returns the filters after a built-in preset is added or, if it is active, removed. */
export function toggled(preset, values) {
  if (!isActive(preset, values)) return { ...values, ...preset.values };
  return Object.fromEntries(Object.entries(values).filter(([name]) => !(name in preset.values)));
}
