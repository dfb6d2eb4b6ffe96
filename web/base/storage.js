/* SPDX-License-Identifier: MIT */
// Entries in the browser's storage, each under a key of its kind. What the browser does not store, because its storage is
// full or disabled, is kept for this visit.

const parsed = (text) => { try { return JSON.parse(text); } catch { return null; } };

/** Creates the store of the entries whose keys begin with `prefix`. An entry is an object with an `id`. */
export function createStorage(prefix) {
  const visit = new Map(); // texts by key
  const published = (id) => { try { return parsed(localStorage.getItem(prefix + id)); } catch { return null; } };
  const read = (id) => (visit.has(prefix + id) ? parsed(visit.get(prefix + id)) : published(id));

  function ids() {
    let stored = [];
    try { stored = Object.keys(localStorage).filter((key) => key.startsWith(prefix)); } catch { /* there is no storage */ }
    return [...new Set([...stored, ...visit.keys()])].map((key) => key.slice(prefix.length));
  }

  return {
    /** Returns the values of all entries, which other programs may have changed; null if a value is not JSON. */
    all: () => ids().map(read),
    /** Returns the value of an entry; null if there is none. */
    read,
    /** Returns the value of an entry as other tabs see it. */
    published,
    /** Stores an entry. Returns false if it is kept only for this visit. */
    store(entry) {
      const [key, text] = [prefix + entry.id, JSON.stringify(entry)];
      try {
        localStorage.setItem(key, text);
        visit.delete(key);
        return true;
      } catch {
        visit.set(key, text);
        return false;
      }
    },
    forget(id) {
      visit.delete(prefix + id);
      try { localStorage.removeItem(prefix + id); } catch { /* nothing is stored */ }
    },
    /** Returns the number of entries that the browser does not store. */
    unstored: () => visit.size,
    /** Returns an id that no entry has. */
    newId() {
      let number = Date.now();
      while (read(number.toString(36))) number += 1;
      return number.toString(36);
    },
    /** Returns the id of the entry that a key belongs to; null if the key is null or not of this kind. */
    idOf: (key) => (key?.startsWith(prefix) ? key.slice(prefix.length) : null),
  };
}
