/* SPDX-License-Identifier: MIT */
// Applies the saved colours before the page is drawn. Without saved colours, the style sheet follows the system.
(function () {
  'use strict';
  let chosen = null;
  try { chosen = localStorage.getItem('theme'); } catch { /* no storage: the system's colours */ }
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen;
})();
