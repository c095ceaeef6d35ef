import { t } from '../../domain/language/text.ts';
import { compact, exact } from '../format.ts';

const titled = (digits: string): string => t('{value}. Short figures are rounded.', { value: digits });

/** Title of a short figure. */
export const exactly = (value: number): string => titled(exact(value));

/** Returns the title of a shown figure; undefined if it shows all digits. */
export function exactUnless(shown: string, value: number): string | undefined {
  const digits = exact(value);
  return shown === digits ? undefined : titled(digits);
}

/** A short figure with the exact value on hover; '?' with the reason if unknown. */
export function Short({
  value,
  show = compact,
  unknown = t('Not read in this scan.'),
  className,
}: {
  value: number | null | undefined;
  show?: (value: number) => string;
  unknown?: string;
  className?: string | undefined;
}) {
  if (value === null || value === undefined)
    return (
      <span className={className} title={unknown}>
        ?
      </span>
    );
  const short = show(value);
  return (
    <span className={className} title={exactUnless(short, value)}>
      {short}
    </span>
  );
}
