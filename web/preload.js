/* SPDX-License-Identifier: MIT */
// Requests all modules of Explore at once, instead of level by level, if the address is one of Explore. They are those that
// explore/explore.js imports, and main.js does not (tests/page/page_modules.mjs).
(function () {
  'use strict';
  const modules = [
    'explore/explore.js', 'base/compact.js', 'base/copy.js', 'base/pattern.js', 'filters/filters.js', 'filters/filter_bar.js', 'filters/popup.js',
    'filters/presets.js', 'filters/source_menu.js', 'filters/player_box.js', 'filters/player_names.js', 'filters/nearest_names.js', 'lists/found.js',
    'lists/games.js', 'explore/orders.js', 'board/line_view.js', 'base/rest.js', 'explore/tree.js', 'base/openings.js', 'base/tabs.js', 'base/bar.js',
    'base/surprise.js', 'base/chances.js', 'filters/player_side.js', 'explore/tablebase.js', 'base/explain.js',
  ];
  if (!/^(#\/?(explore\b.*)?)?$/s.test(location.hash)) return;
  for (const href of modules) {
    const link = document.createElement('link');
    Object.assign(link, { rel: 'modulepreload', fetchPriority: 'low', href });
    document.head.append(link);
  }
})();
