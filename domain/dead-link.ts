/** What whoever opens a link to results or a report reads when it was closed, ran out or never was: it does not say which. */
export const DEAD_LINK = 'This link no longer works. Ask whoever sent it for a new one.';
