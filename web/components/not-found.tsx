import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../domain/language/text.ts';
import { buttonClass } from '../ui/button.tsx';
import { useLocale } from '../ui/use-locale.ts';
import { Page } from './page.tsx';

/** Page for unknown paths; the text is the specification's (section 2). */
export const NotFoundPage = ({ children }: { children: ReactNode }) => (
  <Page title={t('Not found')}>
    <p>{t("This page doesn't exist - seems you're in the wrong place!")}</p>
    {children}
  </Page>
);

/** Links home, which redirects users to their dashboard. */
export const BackHome = () => (
  <Link to="/" className={buttonClass()}>
    {t('Back to home')}
  </Link>
);

/** The page for every unknown path. */
export function NotFound() {
  useLocale();
  return (
    <NotFoundPage>
      <p>
        <BackHome />
      </p>
    </NotFoundPage>
  );
}
