import type { IconNode } from 'lucide';
import { createElement, type ReactElement } from 'react';

/** The shapes of icons drawn before: a table has a hundred of the same. */
const drawn = new WeakMap<IconNode, ReactElement[]>();

function shapesOf(icon: IconNode): ReactElement[] {
  const known = drawn.get(icon);
  if (known) return known;
  const shapes = icon.map(([tag, shape], index) => createElement(tag, { ...shape, key: index }));
  drawn.set(icon, shapes);
  return shapes;
}

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
    {shapesOf(of)}
  </svg>
);
