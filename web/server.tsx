import type { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { prerender } from 'react-dom/static';
import { takeLocaleFrom } from '../domain/language/current.ts';
import { localPath } from '../domain/language/locales.ts';
import { addCatalogue } from '../domain/language/text.ts';
import { type PageAnswer, writePageData } from '../domain/service/page-data.ts';
import { LATE_STYLE, type RenderPage } from '../domain/service/rendered-page.ts';
import { App } from './app.tsx';
import { createApp } from './router.tsx';

/**
 * Renders public pages in the Worker, from the components that the browser uses. The browser hydrates the markup with
 * the same data (web/main.tsx).
 */

/** A page's own address may be rewritten once, such as `?page=1` to none. */
const REWRITES = 2;

/** Loads the app at an address. */
async function loadedApp(href: string, ask: Parameters<RenderPage>[0]['ask']) {
  let address = href;
  for (let tries = 0; tries < REWRITES; tries++) {
    const app = createApp({ history: createMemoryHistory({ initialEntries: [address] }), ask });
    await app.router.load();
    const result = app.router._serverResult;
    if (result?.type !== 'redirect') {
      const failed = app.router.state.matches.find(({ status }) => status === 'error');
      if (failed) throw failed.error;
      return app;
    }
    app.client.clear();
    address = result.redirect.options.href ?? address;
  }
  throw new Error('The page has no stable address.');
}

/**
 * Waits for the data that loaders requested, but no longer than `patience`. Drops what failed or is late, and returns
 * whether there was none.
 */
async function settle(client: QueryClient, patience: number): Promise<boolean> {
  const cache = client.getQueryCache();
  const arrived = (async () => {
    // The answer to one request may lead to another.
    while (client.isFetching() > 0) await Promise.allSettled(cache.getAll().map((query) => query.promise));
  })();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience);
  });
  await Promise.race([arrived, late]);
  clearTimeout(timer);
  // The browser repeats these, and shows their skeletons until then.
  const missing = cache.getAll().filter(({ state }) => state.status !== 'success');
  for (const query of missing) cache.remove(query);
  return missing.length === 0;
}

const answersIn = (client: QueryClient): PageAnswer[] =>
  client
    .getQueryCache()
    .getAll()
    .filter(({ state }) => state.status === 'success')
    .map(({ queryKey, state }) => [queryKey, state.data, state.dataUpdatedAt]);

/** Reads React's markup, which arrives as text (scripts/react-as-text.ts). */
async function textOf(markup: ReadableStream<unknown>): Promise<string> {
  let text = '';
  for await (const piece of markup) text += piece;
  return text;
}

/** The head has the title already. */
const TITLE = /^<title>[^<]*<\/title>/;

/**
 * Renames style attributes, which the policy of pages forbids in markup; the browser applies them before it hydrates
 * (web/main.tsx). In text React escapes quotes, so only attributes match.
 */
const withoutStyles = (html: string): string => html.replaceAll(' style="', ` ${LATE_STYLE}="`);

export const renderPage: RenderPage = async ({ href, locale, catalogue, settings, ask, patience }) => {
  takeLocaleFrom(locale);
  if (catalogue) addCatalogue(locale(), catalogue);
  const { client, router } = await loadedApp(localPath(locale(), href), ask);
  const whole = await settle(client, patience);
  let failure: unknown;
  const { prelude } = await prerender(<App client={client} router={router} settings={settings} />, {
    // The first screen must not wait for scripts that move late parts into place.
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      failure ??= error;
    },
  });
  const html = await textOf(prelude);
  const data = writePageData(answersIn(client));
  client.clear();
  if (failure !== undefined) throw failure;
  return { html: withoutStyles(html.replace(TITLE, '')), data, whole };
};
