// Runs before the first paint. Pages from the Worker are the same for everyone, so this marks what is the reader's own:
// a chosen theme (web/theme.ts), accepted cookies (web/components/cookie-banner.tsx), a stored user (web/session.ts), a
// loaded font.
const { dataset } = document.documentElement;
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') dataset.theme = theme;
  if (localStorage.getItem('user') !== null) dataset.user = '';
  void beginWith(JSON.parse(localStorage.getItem('font') ?? '[]')).catch(() => undefined);
} catch {
  // Storage may be disabled; then the system's theme applies.
}
if (/(^|; )(__Host-)?muster_consent=/.test(document.cookie)) dataset.consent = '';

/**
 * Uses the files of the product's font that an earlier page loaded (web/extras.ts). If they are not there before the
 * first paint, the page keeps the reader's own font, because another one would lay it out again.
 */
async function beginWith(files) {
  let isDrawn = false;
  requestAnimationFrame(() => {
    isDrawn = true;
  });
  const faceOf = ({ url, unicodeRange }) =>
    new FontFace('Inter Variable', `url(${url})`, { weight: '100 900', unicodeRange });
  const faces = await Promise.all(files.map((file) => faceOf(file).load()));
  if (isDrawn || faces.length === 0) return;
  for (const face of faces) document.fonts.add(face);
  dataset.font = '';
}

// Presses on buttons and sort headers before the page's script listens. It ends this and repeats them (web/main.tsx).
const presses = [];
const listening = new AbortController();
addEventListener(
  'click',
  (event) => {
    const pressed = event.target instanceof Element && event.target.closest('button, th[scope=col] a');
    if (!pressed || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    // Otherwise a header's link loads the page again.
    if (pressed.localName === 'a') event.preventDefault();
    presses.push(pressed);
    // The rows arrive before the script asks for them.
    const { ahead } = pressed.dataset;
    const preload = { rel: 'preload', as: 'fetch', crossOrigin: 'anonymous', href: ahead };
    if (ahead) document.head.append(Object.assign(document.createElement('link'), preload));
  },
  { signal: listening.signal },
);
Object.assign(window, { earlyPresses: { presses, stop: () => listening.abort() } });
