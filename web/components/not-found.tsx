import { Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/button.tsx';
import { Page } from './page.tsx';

/** The screen of every path that leads nowhere; the words are the specification's (section 2). */
export const NotFound = () => (
  <Page title="Not found">
    <p>This page doesn't exist - seems you're in the wrong place!</p>
    <p>
      <Link to="/" className={buttonClass()}>
        Back to home
      </Link>
    </p>
  </Page>
);
