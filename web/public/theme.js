// Before anything is drawn, so that a chosen theme never follows a flash of the other (web/theme.ts keeps the choice).
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage can be switched off; then the system decides.
}
