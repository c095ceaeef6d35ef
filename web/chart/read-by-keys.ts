import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  PageUp: (at) => at - 10,
  PageDown: (at) => at + 10,
  Home: () => 0,
  End: (_, last) => last,
};

/** Returns the attributes of a chart whose values are read one by one with the arrow keys. */
export const readByKeys = (
  { label, at, count, text }: { label: string; at: number; count: number; text: string },
  read: (at: number) => void,
) => ({
  role: 'slider',
  tabIndex: 0,
  'aria-label': label,
  'aria-valuemin': 0,
  'aria-valuemax': Math.max(0, count - 1),
  'aria-valuenow': at,
  'aria-valuetext': text,
  onKeyDown: (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    read(Math.max(0, Math.min(count - 1, step(at, count - 1))));
  },
});
