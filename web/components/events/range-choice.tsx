import { message, t, words } from '../../../domain/language/text.ts';
import type { EventMeta } from '../../api/events.ts';
import { dateTime } from '../../format.ts';
import { Select } from '../../ui/select.tsx';
import { T } from '../../ui/text.tsx';
import { useOwnTime } from '../../ui/time.tsx';
import { labelledMoments } from './event-words.ts';
import styles from './range-choice.module.css';

/** How a snapshot's state is shown. */
export const STATE = { live: message('live'), final: message('final'), corrected: message('corrected') } as const;

/** Selects the start and end snapshot. Key dates come first, then all snapshots. */
export function RangeChoice({
  meta,
  start,
  end,
  change,
}: {
  meta: EventMeta;
  start: number;
  end: number;
  change: (range: { start?: number | undefined; end?: number | undefined }) => void;
}) {
  const first = meta.snapshots[0]?.ts;
  const latest = meta.snapshots.at(-1)?.ts;
  return (
    <div className={styles.range}>
      <Choice
        label={t('From')}
        meta={meta}
        value={start}
        onChange={(ts) => change({ start: ts === first ? undefined : ts })}
        until={end}
      />
      <Choice
        label={t('To')}
        meta={meta}
        value={end}
        onChange={(ts) => change({ end: ts === latest ? undefined : ts })}
        from={start}
      />
    </div>
  );
}

function Choice({
  label,
  meta,
  value,
  onChange,
  from = 0,
  until = Number.POSITIVE_INFINITY,
}: {
  label: string;
  meta: EventMeta;
  value: number;
  onChange: (ts: number) => void;
  from?: number;
  until?: number;
}) {
  const ownTime = useOwnTime();
  const moments = labelledMoments(meta);
  const fits = (ts: number) => ts >= from && ts <= until;
  return (
    <label className={styles.choice}>
      <span>{label}</span>
      <Select value={value} onChange={({ target }) => onChange(Number(target.value))}>
        {moments.length > 0 && (
          <optgroup label={t('Key moments')}>
            {moments.map(({ ts, at, label: name }) => (
              <option key={name} value={ts} disabled={!fits(ts)} title={dateTime(ts)}>
                <T of="{name}, {at} · scan of {ts}" name={name} at={ownTime(at)} ts={ownTime(ts)} />
              </option>
            ))}
          </optgroup>
        )}
        <optgroup label={t('All scans')}>
          {meta.snapshots.toReversed().map(({ ts, state }) => (
            <option key={ts} value={ts} disabled={!fits(ts)} title={dateTime(ts)}>
              {ownTime(ts)} · {words(STATE[state])}
            </option>
          ))}
        </optgroup>
      </Select>
    </label>
  );
}
