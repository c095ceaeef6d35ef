import { Link, useRouterState } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { CHAT_INVITE, SUPPORT_EMAIL } from '../contact.ts';
import { cameForNewVersion } from '../new-version.ts';
import { CookieBanner } from './cookie-banner.tsx';
import { BARE_PATHS } from './nav-links.ts';
import { Navbar } from './navbar.tsx';
import { SearchHost } from './search-box.tsx';
import styles from './shell.module.css';
import { ThemeChoice } from './theme-choice.tsx';

// It comes after the first screen, which needed a connection anyway.
const Surroundings = lazy(async () => ({ default: (await import('./surroundings.tsx')).Surroundings }));

/** What stands around every screen. */
export function Shell({ children }: { children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname ?? state.location.pathname });
  const main = useFocusOnArrival(path);
  const bare = BARE_PATHS.some((prefix) => path.startsWith(prefix));
  // Inside another site's page the banner is that site's to show, and what is chosen here would not be kept.
  const embedded = useRouterState({
    select: ({ location: { search } }) => bare && 'embed' in search && search.embed === true,
  });
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
      {cameForNewVersion() && (
        <p className={styles.news} role="status">
          A new version is here. The page was reloaded.
        </p>
      )}
      <main id="main" ref={main} tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {!bare && <Footer />}
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

const Footer = () => (
  <footer className={styles.footer}>
    <div className={styles.footerInner}>
      <p>Muster counts. It never plays: no automation that touches the game.</p>
      <nav aria-label="Help" className={styles.help}>
        <Link to="/faq">FAQ</Link>
        <Link to="/eula">Licence</Link>
        <Link to="/api-docs">API</Link>
        <Link to="/privacy">Privacy</Link>
        <Link to="/imprint">Imprint</Link>
        <a href={CHAT_INVITE}>Community chat</a>
        <a href={`mailto:${SUPPORT_EMAIL}`}>{SUPPORT_EMAIL}</a>
        <ThemeChoice />
      </nav>
    </div>
  </footer>
);
