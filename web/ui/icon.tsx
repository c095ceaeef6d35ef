import { ChevronLeft, ChevronRight, type IconNode } from 'lucide';
import { createElement, type ReactElement } from 'react';

/** Icons that point along the text, which base.css mirrors in languages from right to left. */
const ALONG_TEXT: ReadonlySet<IconNode> = new Set([ChevronLeft, ChevronRight]);

/** Caches each icon's elements, because a table repeats the same icon a hundred times. */
const drawn = new WeakMap<IconNode, ReactElement[]>();

function shapesOf(icon: IconNode): ReactElement[] {
  const known = drawn.get(icon);
  if (known) return known;
  const shapes = icon.map(([tag, shape], index) => createElement(tag, { ...shape, key: index }));
  drawn.set(icon, shapes);
  return shapes;
}

/**
 * A Lucide icon. Not Lucide's React component, which is as large as all our icons. Hidden from screen readers unless it
 * has a label.
 */
export const Icon = ({
  of,
  size,
  className,
  label,
}: {
  of: IconNode;
  /** Width and height in px. */
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
    data-along-text={ALONG_TEXT.has(of) || undefined}
    role={label && 'img'}
    aria-label={label}
    aria-hidden={label === undefined}
  >
    {shapesOf(of)}
  </svg>
);
