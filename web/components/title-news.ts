let shown: { news: string; before: string } | null = null;

/** Puts the title back once the tab is looked at, unless another screen has set its own meanwhile. */
function seen(): void {
  if (document.hidden || !shown) return;
  if (document.title === shown.news) document.title = shown.before;
  shown = null;
}

/** Says something in the title of a tab that is not looked at, until it is. */
export function titleNews(text: string): void {
  if (!document.hidden) return;
  const news = `✓ ${text} · Muster`;
  shown = { news, before: shown?.before ?? document.title };
  document.title = news;
  document.addEventListener('visibilitychange', seen, { once: true });
}
