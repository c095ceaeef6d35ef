import { useRouterState } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { t } from '../../domain/language/text.ts';
import { CookieBanner } from './cookie-banner.tsx';
import { useEmbedded } from './embedded.ts';
import { BARE_PATHS } from './nav-links.ts';
import { Navbar } from './navbar.tsx';
import { SearchHost } from './search-box.tsx';
import styles from './shell.module.css';

/** Loads after the first page. If it fails, the page keeps what the Worker rendered, whose links then load pages. */
const later = (part: 'Footer' | 'Surroundings') =>
  lazy(() =>
    import('./around.tsx').then<{ default: ComponentType }, never>(
      (around) => ({ default: around[part] }),
      // React would remove the Worker's markup for any component that renders something else.
      () => new Promise(() => undefined),
    ),
  );
const Footer = later('Footer');
const Surroundings = later('Surroundings');

/** The layout around every page. */
export function Shell({ children }: { children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname });
  const main = useFocusOnArrival(path);
  const bare = BARE_PATHS.some((prefix) => path.startsWith(prefix));
  // In an embedded view consent is the embedding site's responsibility, and a choice would not be stored.
  const embedded = useEmbedded();
  return (
    <>
      <a href="#main" className={styles.skip}>
        {t('Skip to content')}
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

/** Moves focus to the new page after a navigation, like a page load. The first page keeps the browser's focus. */
function useFocusOnArrival(path: string) {
  const main = useRef<HTMLElement>(null);
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path) return;
    last.current = path;
    // The page may already have focused one of its fields.
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
  }, [path]);
  return main;
}
