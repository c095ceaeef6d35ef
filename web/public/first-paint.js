// Runs before the first paint. Pages from the Worker are the same for everyone, so this marks what is the reader's own:
// a chosen theme (web/theme.ts), accepted cookies (web/components/cookie-banner.tsx), a stored user (web/session.ts).
const { dataset } = document.documentElement;
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  if (localStorage.getItem('user') !== null) dataset.user = '';
} catch {
  // Storage may be disabled; then the system's theme applies.
}
if (/(^|; )(__Host-)?muster_consent=/.test(document.cookie)) dataset.consent = '';

// Presses on buttons before the page's script listens; it repeats them (web/main.tsx).
const presses = [];
const listening = new AbortController();
addEventListener(
  'click',
  ({ target }) => {
    const button = target instanceof Element && target.closest('button');
    if (button) presses.push(button);
  },
  { signal: listening.signal },
);
Object.assign(window, { earlyPresses: { presses, stop: () => listening.abort() } });
