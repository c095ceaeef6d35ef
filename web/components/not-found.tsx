import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../ui/button.tsx';
import { Page } from './page.tsx';

/** A page that is not there, with what there may be instead; the words are the specification's (section 2). */
export const NotFoundPage = ({ children }: { children: ReactNode }) => (
  <Page title="Not found">
    <p>This page doesn't exist - seems you're in the wrong place!</p>
    {children}
  </Page>
);

/** The way on from what is not there: a user's is his dashboard. */
export const BackHome = () => (
  <Link to="/" className={buttonClass()}>
    Back to home
  </Link>
);

/** The screen of every path that leads nowhere. */
export const NotFound = () => (
  <NotFoundPage>
    <p>
      <BackHome />
    </p>
  </NotFoundPage>
);
