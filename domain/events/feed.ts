/** Feeds of what changed in an event, scan by scan. */

/** Returns the path of an event's feed, or of a kingdom's in it. */
export const feedPath = (id: number, kingdom?: string): string =>
  `/v1/dashboards/${id}/feed.json${kingdom === undefined ? '' : `?kingdom=${kingdom}`}`;
