import { feedPath } from '../../../domain/events/feed.ts';
import { dateTime } from '../../../domain/figures.ts';
import { kingdomTitle } from '../../../domain/games/titles.ts';
import { locale } from '../../../domain/language/current.ts';
import { addressIn } from '../../../domain/language/public-paths.ts';
import type { Env } from '../../env.ts';
import { listAnswer } from '../../gateways/dashboard-answers.ts';
import type { EventChanges } from './answer-room.ts';
import type { EventMeta } from './public-event.ts';
import { readAnswer } from './read-answer.ts';

/** Scans in a feed, the newest first. */
const MOST_ITEMS = 10;

/** Address of the event's page, or of the kingdom's war room in it, in the current language. */
export const pageOf = (site: string, { game, dashboard_id }: EventMeta, kingdom: string | undefined): string =>
  site +
  addressIn(
    locale(),
    `/${game === 'rok' ? '' : 'cod-'}dashboards/${dashboard_id}${kingdom === undefined ? '' : `/kingdoms/${kingdom}`}`,
  );

/**
 * Returns what changed in an event, or in one of its kingdoms, as a JSON Feed (jsonfeed.org/version/1.1): an item for
 * each of the newest scans, from the scan before it. Computed once for each state of the event. Calls `before` if it
 * is.
 */
export function changesFeed(
  env: Env,
  meta: EventMeta,
  kingdom: string | undefined,
  before: () => Promise<void>,
): Promise<ArrayBuffer> {
  const moments = meta.snapshots.map(({ ts }) => ts);
  const scans = moments
    .slice(1)
    .map((end, index) => ({ end, since: moments[index] as number }))
    .slice(-MOST_ITEMS)
    .toReversed();
  const list = `feed-${meta.dashboard_id}${kingdom === undefined ? '' : `-${kingdom}`}`;
  return listAnswer(env.STORE, list, [meta.revision, scans], async () => {
    await before();
    const items: object[] = [];
    // One after the other: each holds whole tables of the event in its object.
    for (const { end, since } of scans) {
      const asked = { kind: 'changes' as const, end, since, ...(kingdom !== undefined && { kingdom }) };
      const answer = await readAnswer<EventChanges>(env, meta, asked);
      if (!answer) continue;
      const page = `${pageOf(env.SITE_ORIGIN, meta, kingdom)}?end=${end}`;
      items.push({
        id: page,
        url: page,
        title: `Scan of ${dateTime(end)}`,
        content_text: answer.changes.map(({ text }) => text).join('\n') || 'Nothing changed.',
        date_published: new Date(end).toISOString(),
      });
    }
    const feed = {
      version: 'https://jsonfeed.org/version/1.1',
      title: titleOf(meta, kingdom),
      home_page_url: pageOf(env.SITE_ORIGIN, meta, kingdom),
      feed_url: env.SITE_ORIGIN + feedPath(meta.dashboard_id, kingdom),
      language: 'en',
      items,
    };
    return { text: JSON.stringify(feed), isWhole: items.length === scans.length };
  });
}

/** Returns the event's name, after the kingdom's if one is given. */
export const titleOf = ({ game, name }: EventMeta, kingdom: string | undefined): string =>
  kingdom === undefined ? name : `${kingdomTitle(game, kingdom)} · ${name}`;
