// Before the page is drawn: the colours that were chosen here, if any; otherwise the style sheet follows the system.
(function () {
  'use strict';
  let chosen = null;
  try { chosen = localStorage.getItem('theme'); } catch { /* no storage: the system's colours */ }
  if (chosen === 'dark' || chosen === 'light') document.documentElement.dataset.theme = chosen;
})();
