import { Link } from '@tanstack/react-router';
import { buttonClass } from '../ui/button.tsx';
import layout from '../ui/layout.module.css';

interface Pages {
  label: string;
  /** The page's own `before`; undefined on the first. */
  before: string | number | undefined;
  /** The next page's `before`; null on the last. */
  next: string | number | null | undefined;
  newest: string;
  older: string;
}

/** Links to the first and the next page of a list whose pages end `before` an entry. */
export const PageLinks = ({ label, before, next, newest, older }: Pages) => (
  <nav className={layout.row} aria-label={label}>
    {before !== undefined && (
      <Link to="." search={(now) => ({ ...now, before: undefined })} className={buttonClass()}>
        {newest}
      </Link>
    )}
    {next && (
      <Link to="." search={(now) => ({ ...now, before: next })} className={buttonClass()}>
        {older}
      </Link>
    )}
  </nav>
);
