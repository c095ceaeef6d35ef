import type { IconNode } from 'lucide';
import { createElement } from 'react';

/**
 * An icon of Lucide's, which are lists of shapes; the package's own component for React is as large as all that we
 * show. Read aloud only where it has a label of its own.
 */
export const Icon = ({
  of,
  size,
  className,
  label,
}: {
  of: IconNode;
  /** Pixels of either side. */
  size: number;
  className?: string | undefined;
  label?: string;
}) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={2}
    strokeLinecap="round"
    strokeLinejoin="round"
    className={className}
    role={label && 'img'}
    aria-label={label}
    aria-hidden={label === undefined}
  >
    {of.map(([tag, shape], index) => createElement(tag, { ...shape, key: index }))}
  </svg>
);
