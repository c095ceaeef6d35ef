// Runs before the first paint, so that a chosen theme does not flash (web/theme.ts stores the choice).
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be disabled; then the system's theme applies.
}
