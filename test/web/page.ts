/** What files of the web read of the page as they load: its settings and its address. Imported before them. */

const settings = { content: JSON.stringify({ api: '' }) };
Object.assign(globalThis, {
  document: { head: { querySelector: () => settings } },
  location: new URL('https://muster.test/orders'),
});
