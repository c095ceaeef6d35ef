let shown: { news: string; before: string } | null = null;

/** Restores the title when the tab becomes visible, unless another page has changed it. */
function seen(): void {
  if (document.hidden || !shown) return;
  if (document.title === shown.news) document.title = shown.before;
  shown = null;
}

/** Shows a message in a hidden tab's title until the tab is visible. */
export function notifyInTitle(text: string): void {
  if (!document.hidden) return;
  const news = `✓ ${text} · Muster`;
  shown = { news, before: shown?.before ?? document.title };
  document.title = news;
  document.addEventListener('visibilitychange', seen, { once: true });
}
