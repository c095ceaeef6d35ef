import type { ReactNode } from 'react';
import { t } from '../../../domain/language/text.ts';
import { exact } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import type { GroupSum } from './difference-rows.ts';
import { Gain } from './gain.tsx';

export interface NamedSum extends GroupSum {
  name: string;
}

const BY_DKP = { id: 'dkp', ascending: false };

/** Sums of kingdoms or camps, highest DKP first: without excluded figures, raw, and the number of excluded scores. */
export function Sums<Sum extends NamedSum>({
  label = t('Sums'),
  title,
  sums,
  shown = ({ name }) => name,
  figures = [],
}: {
  label?: string;
  /** Title of the column of names. */
  title: string;
  sums: readonly Sum[];
  /** Renders a name; plain text by default. */
  shown?: (sum: Sum) => ReactNode;
  /** Further columns. */
  figures?: readonly Column<Sum>[];
}) {
  const columns: Column<Sum>[] = [
    { id: 'name', title, grow: true, sticky: true, ascending: true, text: ({ name }) => name, cell: shown },
    gain('dkp', t('DKP'), t('Without unverified figures'), ({ dkp }) => dkp),
    gain('raw', t('Raw total'), t('With unverified figures'), ({ raw }) => raw),
    count('left_out', t('Excluded'), t('Governors whose score is unverified')),
    ...figures,
    count('common', t('In both'), t('In both scans')),
    count('joined', t('Joined'), t('Only in the later scan')),
    count('gone', t('Left'), t('Only in the earlier scan')),
  ];
  return <Table label={label} columns={columns} rows={sums} rowId={({ name }) => name} sort={BY_DKP} />;
}

const count = <Sum extends NamedSum>(
  id: 'left_out' | 'common' | 'joined' | 'gone',
  title: string,
  about: string,
): Column<Sum> => ({ id, title, about, figures: true, value: (sum) => sum[id], cell: (sum) => exact(sum[id]) });

/** A column of gains that sorts by them. */
export const gain = <Sum,>(
  id: string,
  title: string,
  about: string,
  value: (sum: Sum) => number | null,
): Column<Sum> => ({
  id,
  title,
  about,
  figures: true,
  value,
  cell: (sum) =>
    id === 'dkp' ? (
      <strong>
        <Gain value={value(sum)} />
      </strong>
    ) : (
      <Gain value={value(sum)} />
    ),
});
