import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plus } from '../../../../domain/language/formats.ts';
import { message, t, words } from '../../../../domain/language/text.ts';
import { ENTRY_TITLES } from '../../../../domain/money/entry-titles.ts';
import { noteText } from '../../../../domain/money/notes.ts';
import { type TeamLine, teamStatementQuery } from '../../../api/teams.ts';
import { Loaded } from '../../../components/loaded.tsx';
import { More } from '../../../components/more.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { usd } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';

const amountOf = ({ amount }: TeamLine): string => `${plus(amount)}${usd(amount)}`;

/** What an entry was for: an order links to its results. */
const whatOf = ({ kind, order_id, note }: TeamLine) => (
  <>
    {order_id === null ? (
      words(ENTRY_TITLES[kind])
    ) : (
      <>
        {kind === 'return' && t('Returned: ')}
        <Link to="/order/$orderId" params={{ orderId: String(order_id) }}>
          <T of="Order #{order_id}" order_id={String(order_id)} />
        </Link>
      </>
    )}
    {note && <Under>{noteText(note)}</Under>}
  </>
);

const COLUMNS: readonly Column<TeamLine>[] = [
  {
    id: 'entry',
    title: message('Entry'),
    unsorted: true,
    grow: true,
    wraps: true,
    cell: (line) => (
      <>
        {whatOf(line)}
        <Under narrow>
          {line.by} · <Time at={line.created_at} />
        </Under>
      </>
    ),
  },
  { id: 'by', title: message('By'), unsorted: true, wide: true, cell: ({ by }) => by },
  {
    id: 'time',
    title: message('Time'),
    unsorted: true,
    wide: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  { id: 'amount', title: message('Amount'), unsorted: true, figures: true, cell: amountOf },
  {
    id: 'balance',
    title: message('Balance'),
    unsorted: true,
    figures: true,
    cell: ({ balance }) => usd(balance),
  },
];

/** Every entry of the shared balance, with who ordered or transferred. */
export function TeamStatement({ teamId }: { teamId: string }) {
  const statement = useInfiniteQuery(teamStatementQuery(teamId));
  const lines = statement.data?.pages.flatMap((page) => page.lines) ?? [];
  return (
    <Panel title={t('Orders and transfers')}>
      <Loaded query={statement} what={t('the statement')} heights={['8rem']}>
        {() =>
          lines.length === 0 ? (
            <Nothing>{t('Nothing was moved or ordered yet.')}</Nothing>
          ) : (
            <Table
              label={t('Orders and transfers')}
              columns={COLUMNS}
              rows={lines}
              rowId={({ entry_id }) => entry_id}
            />
          )
        }
      </Loaded>
      <More of={statement}>{t('Older entries')}</More>
    </Panel>
  );
}
