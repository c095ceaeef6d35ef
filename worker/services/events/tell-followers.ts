import { byWebhook, WEBHOOKS } from '../../../domain/accounts/webhooks.ts';
import { changeText } from '../../../domain/events/changes.ts';
import { type EventNews, newsText } from '../../../domain/events/event-news.ts';
import { dateTime } from '../../../domain/figures.ts';
import { t } from '../../../domain/language/text.ts';
import type { Db } from '../../db/open.ts';
import type { Env } from '../../env.ts';
import { type EventHead, eventHeads } from '../../models/events/event-snapshots.ts';
import { eventsWithNews, type Followers, followersToTell, tell } from '../../models/events/follows.ts';
import { changedMail } from '../../models/messages/user-mails.ts';
import { oneByOne } from '../service/one-by-one.ts';
import { speakerFor } from '../service/speak.ts';
import type { EventChanges } from './answer-room.ts';
import { pageOf, titleOf } from './changes-feed.ts';
import { type EventMeta, metaOf } from './public-event.ts';
import { readAnswer } from './read-answer.ts';

/**
 * Queues one message to each follower of an event, or of a kingdom in it, when a new scan of it is published. The
 * message covers all changes since the scan of their last message, so scans that arrive together share one. A scan
 * without changes sends none.
 */
export async function tellFollowers(env: Env, db: Db, now: number, goesOn: () => boolean): Promise<void> {
  const rows = await eventHeads(db, await eventsWithNews(db));
  const subjectOf = ({ event }: EventHead) => String(event.id);
  await oneByOne(
    db,
    { job: 'news of events', rows, subjectOf },
    (head) => tellOfEvent(env, db, head, now, goesOn),
    now,
  );
}

async function tellOfEvent(env: Env, db: Db, head: EventHead, now: number, goesOn: () => boolean): Promise<void> {
  const meta = metaOf(head, now);
  const newest = meta.snapshots.at(-1)?.ts;
  if (newest === undefined) return;
  const groups = await followersToTell(db, meta.dashboard_id, newest);
  // These groups differ only in language.
  for (const same of Map.groupBy(groups, ({ told_ts, kingdom }) => `${told_ts} ${kingdom}`).values()) {
    if (!goesOn()) return;
    const changes = await changesFor(env, meta, same[0] as Followers, newest);
    // The event changed meanwhile, so the next minute's run sends it.
    if (!changes) return;
    for (const followers of same) {
      const write = () => messagesOf(env.SITE_ORIGIN, meta, followers, newest, changes);
      const news = changes === 'first' || changes.length > 0 ? await speakerFor(env)(followers, write) : null;
      await tell(db, followers, newest, news, now);
    }
  }
}

/** The changes, or 'first' if there was no earlier scan. */
type News = EventChanges['changes'] | 'first';

/** Returns what changed since the scan of the followers' last message; null if it is not known yet. */
async function changesFor(
  env: Env,
  meta: EventMeta,
  { kingdom, told_ts }: Followers,
  newest: number,
): Promise<News | null> {
  // The kingdom is no longer in the event.
  if (kingdom !== null && !meta.kingdoms.includes(kingdom)) return [];
  const since = meta.snapshots.findLast(({ ts }) => ts <= told_ts && ts < newest)?.ts;
  if (since === undefined) return 'first';
  const asked = { kind: 'changes' as const, end: newest, since, ...(kingdom !== null && { kingdom }) };
  const answer = await readAnswer<EventChanges>(env, meta, asked);
  return answer?.changes ?? null;
}

/** Returns the messages in the current language. */
function messagesOf(site: string, meta: EventMeta, { kingdom }: Followers, newest: number, changes: News) {
  const news: EventNews = {
    title: titleOf(meta, kingdom ?? undefined),
    scan: dateTime(newest),
    sentences:
      changes === 'first' ? [t('The first scan is in.')] : changes.map((each) => changeText(meta.game, each, kingdom)),
    address: `${pageOf(site, meta, kingdom ?? undefined)}?end=${newest}`,
    settings: `${site}/account/notifications`,
  };
  const { subject, text } = changedMail(news.title, newsText(news));
  return {
    subject,
    mail: text,
    ...byWebhook((channel) => WEBHOOKS[channel].changed(news)),
  };
}
