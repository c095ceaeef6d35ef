import { type ReactNode, useEffect, useState } from 'react';
import { type ChangeFacts, changeText } from '../../../domain/events/changes.ts';
import { t } from '../../../domain/language/text.ts';
import { nameInLine } from '../../../domain/mail.ts';
import type { EventChanges, EventMeta } from '../../api/events.ts';
import { counted } from '../../format.ts';
import { store, stored } from '../../stored.ts';
import { Select } from '../../ui/select.tsx';
import { useOwnTime } from '../../ui/time.tsx';
import { Nothing, Panel } from '../panel.tsx';
import styles from './room-page.module.css';

/** A change whose names do not reverse the sentence around them. */
const inLine = (change: ChangeFacts): ChangeFacts => ({
  ...change,
  name: nameInLine(change.name),
  before: typeof change.before === 'string' ? nameInLine(change.before) : change.before,
});

/** Sentences shown before the user asks for all. */
const FIRST = 8;

/** Returns the newest scan at this browser's last visit to an event, or null at the first. Remembers this visit. */
function useLastVisit({ dashboard_id, snapshots }: EventMeta): number | null {
  const name = `visited-event-${dashboard_id}`;
  const [last] = useState(() => stored(name));
  const newest = snapshots.at(-1)?.ts;
  useEffect(() => {
    if (newest !== undefined) store(name, String(newest));
  }, [name, newest]);
  return last === null ? null : Number(last);
}

/** Lists changes as sentences, with the scan that they count from. */
export function ChangesPanel({
  meta,
  range: { start, end },
  kingdom = null,
  since,
  changes,
  choose,
  waiting,
}: {
  meta: EventMeta;
  /** The kingdom of a war room; its own sentences do not name it. */
  kingdom?: string | null;
  range: { start: number; end: number };
  /** Null if the range has one scan only. */
  since: number | null;
  changes: EventChanges['changes'];
  choose: (since: number) => void;
  /** Shown instead of the sentences. */
  waiting?: ReactNode;
}) {
  const ownTime = useOwnTime();
  const visited = useLastVisit(meta);
  const scans = meta.snapshots.filter(({ ts }) => ts >= start && ts < end).toReversed();
  if (since === null) return <Nothing>{t('Changes appear with the second scan.')}</Nothing>;
  const line = (each: (typeof changes)[number], index: number) => (
    <li key={index}>{changeText(meta.game, inLine(each), kingdom)}</li>
  );
  return (
    <Panel
      title={t('What changed')}
      about={
        <Select
          aria-label={t('Since the scan of')}
          value={since}
          onChange={({ target }) => choose(Number(target.value))}
        >
          {scans.map(({ ts }) => (
            <option key={ts} value={ts}>
              {ts === visited
                ? t('since your last visit, {time}', { time: ownTime(ts) })
                : t('since {value}', { value: ownTime(ts) })}
            </option>
          ))}
        </Select>
      }
    >
      {waiting}
      {!waiting &&
        (changes.length === 0 ? (
          <Nothing>{t('Nothing changed since then.')}</Nothing>
        ) : (
          <ul className={styles.changes}>{changes.slice(0, FIRST).map(line)}</ul>
        ))}
      {!waiting && changes.length > FIRST && (
        <details>
          <summary>{counted(changes.length - FIRST, 'more change')}</summary>
          <ul className={styles.changes}>{changes.slice(FIRST).map(line)}</ul>
        </details>
      )}
    </Panel>
  );
}
