/** Globals that web files read on import: settings and location. Import this file before them. */

const settings = { content: JSON.stringify({ api: '' }) };
Object.assign(globalThis, {
  document: { head: { querySelector: () => settings } },
  location: new URL('https://muster.test/orders'),
});
