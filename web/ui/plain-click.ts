import type { MouseEvent } from 'react';

/** Returns whether a click follows a link in place. Other clicks are left to the browser, such as opening a new tab. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
