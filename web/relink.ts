import type { RegisteredRouter } from '@tanstack/react-router';
import { locale } from '../domain/language/current.ts';
import { localPath } from '../domain/language/locales.ts';
import { isPublicPath } from '../domain/language/public-paths.ts';

/**
 * Gives the page's address and all links the prefix of its language. The address keeps its other parts, and the reader
 * stays where they are.
 */
export async function relink(router: RegisteredRouter): Promise<void> {
  // Setting the routes drops the addresses that the router has built for links. A new location object makes links build
  // them again.
  router.setRoutes(router.buildRouteTree());
  router.stores.location.set({ ...router.stores.location.get() });
  const { latestLocation, history } = router;
  if (!isPublicPath(latestLocation.pathname)) return;
  await router.commitLocation({
    ...latestLocation,
    publicHref: localPath(locale(), latestLocation.pathname) + history.location.search + history.location.hash,
    state: { ...latestLocation.state, language: locale() },
    replace: true,
    resetScroll: false,
    hashScrollIntoView: false,
  });
}
