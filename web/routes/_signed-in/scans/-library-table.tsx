import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { isFileTime } from '../../../../domain/scans/file-time.ts';
import type { LibraryScan } from '../../../api/scans.ts';
import { KingdomLink } from '../../../components/links.tsx';
import { date, exact, ownTime } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { Button } from '../../../ui/button.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { ScanDialog, scanTitle } from './-scan-dialog.tsx';
import styles from './-scans.module.css';
import { idsIn, type ScansSearch, toggled } from './-scans-search.ts';

/** Scans of the library, with checkboxes for both sides of a comparison. */
export function LibraryTable({
  scans,
  search,
  change,
}: {
  scans: readonly LibraryScan[];
  search: ScansSearch;
  change: (part: Partial<ScansSearch>) => void;
}) {
  const [open, setOpen] = useState<string | null>(null);
  const opened = scans.find(({ scan_id }) => scan_id === open);
  const side = (scan: LibraryScan, which: 'from' | 'to') => (
    <label>
      <input
        type="checkbox"
        checked={idsIn(search[which]).includes(scan.scan_id)}
        onChange={() => change({ [which]: toggled(search[which], scan.scan_id) })}
        aria-label={
          which === 'from'
            ? t('From {scan}, {time}', { scan: scanTitle(scan), time: ownTime(scan.captured_at) })
            : t('To {scan}, {time}', { scan: scanTitle(scan), time: ownTime(scan.captured_at) })
        }
      />
      {which === 'from' ? t('From') : t('To')}
    </label>
  );
  const columns: Column<LibraryScan>[] = [
    {
      id: 'scan',
      title: t('Scan'),
      grow: true,
      sticky: true,
      cell: (scan) => (
        <span className={styles.scan}>
          <Button look="bare" onClick={() => setOpen(scan.scan_id)}>
            {scanTitle(scan)}
          </Button>
          <Under>
            {scan.source}
            {scan.stage && ` · ${scan.stage}`}{' '}
            {scan.tags.map((tag) => (
              <span key={tag} className={styles.tag}>
                {tag}
              </span>
            ))}
          </Under>
        </span>
      ),
    },
    {
      id: 'compare',
      title: t('Compare'),
      cell: (scan) => (
        <span className={styles.sides}>
          {side(scan, 'from')}
          {side(scan, 'to')}
        </span>
      ),
    },
    {
      id: 'moment',
      title: t('Scanned'),
      cell: ({ captured_at, range_from, source }) =>
        range_from === null ? (
          <Time at={captured_at} byFile={isFileTime(source)} />
        ) : (
          t('{from} to {to}', { from: date(range_from), to: date(captured_at) })
        ),
    },
    {
      id: 'kingdom',
      title: t('Kingdom'),
      figures: true,
      // Kingdoms known only from imports have no page, so link to the library.
      cell: ({ game, kingdom_id, origin }) =>
        origin === 'bought' ? (
          <KingdomLink game={game} id={kingdom_id} />
        ) : (
          <Link to="/scans" search={{ game, of: kingdom_id }}>
            {kingdom_id}
          </Link>
        ),
    },
    { id: 'rows', title: t('Rows'), figures: true, cell: ({ rows }) => exact(rows) },
    {
      id: 'origin',
      title: t('Source'),
      cell: ({ order_id, dialect }) =>
        order_id === null ? (
          (dialect ?? t('a file'))
        ) : (
          <Link to="/order/$orderId" params={{ orderId: String(order_id) }}>
            <T of="Order #{order_id}" order_id={String(order_id)} />
          </Link>
        ),
    },
  ];
  return (
    <>
      <Table label={t('Scans')} columns={columns} rows={scans} rowId={({ scan_id }) => scan_id} />
      {opened && <ScanDialog scan={opened} close={() => setOpen(null)} />}
    </>
  );
}
