/* SPDX-License-Identifier: MIT */
// Requests all modules of Explore at once, instead of level by level, if the address is one of Explore. They are those that
// explore/explore.js imports, and main.js does not (tests/page/page_modules.mjs).
(function () {
  'use strict';
  const modules = [
    'explore/explore.js', 'base/compact.js', 'base/pattern.js', 'filters/filters.js', 'lists/found.js', 'lists/games.js', 'explore/orders.js',
    'board/line_view.js', 'base/rest.js', 'explore/tree.js', 'base/words.js', 'base/openings.js', 'base/tabs.js', 'filters/player_box.js',
    'base/bar.js', 'base/surprise.js', 'filters/player_side.js', 'base/explain.js',
  ];
  if (!/^(#\/?(explore\b.*)?)?$/s.test(location.hash)) return;
  for (const href of modules) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', fetchPriority: 'low', href });
    document.head.append(link);
  }
})();
