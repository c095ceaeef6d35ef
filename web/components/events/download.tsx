import { Download as DownloadIcon } from 'lucide';
import { locale } from '../../../domain/language/current.ts';
import { fileIn, LANGUAGES, SOURCE_LOCALE } from '../../../domain/language/locales.ts';
import { t, words } from '../../../domain/language/text.ts';
import { type EventMeta, eventFile, snapshotFile } from '../../api/events.ts';
import { exact } from '../../format.ts';
import { useSettings } from '../../page-settings.ts';
import { Table } from '../../table/table.tsx';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { T } from '../../ui/text.tsx';
import { Time, useOwnTime } from '../../ui/time.tsx';
import { useLinkTarget } from '../embedded.ts';
import listing from '../listing.module.css';
import { Panel } from '../panel.tsx';
import styles from './download.module.css';
import { STATE } from './range-choice.tsx';

const TYPES = ['csv', 'xlsx'] as const;
type Snapshot = EventMeta['snapshots'][number];

/** Downloads of the comparison and of every scan. */
export function Download({ meta, range }: { meta: EventMeta; range: { start: number; end: number } }) {
  const id = String(meta.dashboard_id);
  const target = useLinkTarget();
  const { api } = useSettings();
  const ownTime = useOwnTime();
  return (
    <section className={listing.listing} aria-label={t('Download')}>
      <Panel
        title={t('From start to end')}
        about={<T of="{from} to {to}" from={<Time at={range.start} />} to={<Time at={range.end} />} />}
      >
        <p>{t('Every governor with gains, score and unverified figures. Every camp and kingdom with its totals.')}</p>
        <p className={styles.files}>
          {TYPES.map((type) => (
            <a
              key={type}
              className={buttonClass()}
              href={eventFile(api, id, range, type)}
              {...target}
              download={`kvk_${meta.kvk_id}_${range.start}_${range.end}.${type}`}
            >
              <Icon of={DownloadIcon} size={14} /> {type}
            </a>
          ))}
          {locale() !== SOURCE_LOCALE &&
            TYPES.map((type) => (
              <a key={`${type} titled`} href={fileIn(locale(), eventFile(api, id, range, type))} {...target} download>
                {t('{type}, column names in {language}', { type, language: LANGUAGES[locale()].name })}
              </a>
            ))}
        </p>
      </Panel>
      <Table<Snapshot>
        label={t('All scans')}
        columns={[
          { id: 'ts', title: t('Scan'), grow: true, wraps: true, cell: ({ ts }) => <Time at={ts} /> },
          {
            id: 'files',
            title: t('Download'),
            cell: ({ ts }) => (
              <span className={styles.files}>
                {TYPES.map((type) => (
                  <a
                    key={type}
                    href={snapshotFile(api, id, ts, type)}
                    {...target}
                    download={`kvk_${meta.kvk_id}_${ts}.${type}`}
                    aria-label={t('Scan of {ts} as {type}', { ts: ownTime(ts), type })}
                  >
                    {type}
                  </a>
                ))}
              </span>
            ),
          },
          { id: 'state', title: t('State'), cell: ({ state }) => words(STATE[state]) },
          { id: 'rows', title: t('Rows'), figures: true, cell: ({ rows }) => exact(rows) },
          { id: 'missing', title: t('Missing'), figures: true, cell: ({ missing }) => exact(missing.length) },
        ]}
        rows={meta.snapshots.toReversed()}
        rowId={({ ts }) => ts}
      />
    </section>
  );
}
