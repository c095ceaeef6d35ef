import { useRouterState } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { CookieBanner } from './cookie-banner.tsx';
import { useEmbedded } from './embedded.ts';
import { BARE_PATHS } from './nav-links.ts';
import { Navbar } from './navbar.tsx';
import { SearchHost } from './search-box.tsx';
import styles from './shell.module.css';

/** What comes after the first screen, which needed a connection anyway; where it does not, nothing else is kept waiting. */
const later = (part: 'Footer' | 'Surroundings') =>
  lazy(() =>
    import('./around.ts').then<{ default: ComponentType }, { default: ComponentType }>(
      (around) => ({ default: around[part] }),
      () => ({ default: () => null }),
    ),
  );
const Footer = later('Footer');
const Surroundings = later('Surroundings');

/** What stands around every screen. */
export function Shell({ children }: { children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname });
  const main = useFocusOnArrival(path);
  const bare = BARE_PATHS.some((prefix) => path.startsWith(prefix));
  // Inside another site's page the banner is that site's to show, and what is chosen here would not be kept.
  const embedded = useEmbedded();
  return (
    <>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {!embedded && <CookieBanner />}
      {!bare && <Navbar />}
      {!bare && <SearchHost />}
      <Suspense>
        <Surroundings />
      </Suspense>
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Suspense>{!bare && <Footer />}</Suspense>
    </>
  );
}

/** Moves focus to the new screen after a navigation, as a page load would; the first load keeps the browser's. */
function useFocusOnArrival(path: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    // A screen that focuses a field of its own has already done so.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
