import { t } from '../../domain/language/text.ts';
import { compact, exact } from '../format.ts';

/** Title of a short figure. */
export const exactly = (value: number): string => t('{value}. Short figures are rounded.', { value: exact(value) });

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
    <span className={className} title={short === exact(value) ? undefined : exactly(value)}>
      {short}
    </span>
  );
}
