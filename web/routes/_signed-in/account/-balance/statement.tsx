import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide';
import { locale } from '../../../../../domain/language/current.ts';
import { plus } from '../../../../../domain/language/formats.ts';
import { fileIn } from '../../../../../domain/language/locales.ts';
import { message, t, words } from '../../../../../domain/language/text.ts';
import { ENTRY_TITLES } from '../../../../../domain/money/entry-titles.ts';
import { ENTRY_KINDS } from '../../../../../domain/money/ledger.ts';
import { noteText } from '../../../../../domain/money/notes.ts';
import {
  receiptAddress,
  type StatementFilter,
  type StatementLine,
  statementAddress,
  statementQuery,
} from '../../../../api/balance.ts';
import { Loaded } from '../../../../components/loaded.tsx';
import { More } from '../../../../components/more.tsx';
import { usd } from '../../../../format.ts';
import { buttonClass } from '../../../../ui/button.tsx';
import { SelectField, TextField } from '../../../../ui/field.tsx';
import { Icon } from '../../../../ui/icon.tsx';
import { T } from '../../../../ui/text.tsx';
import { Time } from '../../../../ui/time.tsx';
import styles from './statement.module.css';

const ALL = message('All entries');

const titleOf = (kind: keyof typeof ENTRY_TITLES): string => words(ENTRY_TITLES[kind]);

/** The statement: ledger entries that match the filter, with the running balance. */
export function Statement({
  filter,
  setFilter,
}: {
  filter: StatementFilter;
  setFilter: (filter: StatementFilter) => void;
}) {
  const statement = useInfiniteQuery(statementQuery(filter));
  const lines = statement.data?.pages.flatMap((page) => page.lines) ?? [];
  const filtered = Object.values(filter).some(Boolean);
  return (
    <section className={styles.statement} aria-labelledby="statement-title">
      <header className={styles.head}>
        <h3 id="statement-title">{t('Statement')}</h3>
        <a href={fileIn(locale(), statementAddress(filter))} className={buttonClass()} download>
          <Icon of={Download} size={16} />
          <T of="csv" />
        </a>
      </header>
      <Filter filter={filter} setFilter={setFilter} />
      <Loaded query={statement} what={t('your statement')} heights={['12rem']}>
        {() =>
          lines.length === 0 ? (
            <p className={styles.empty}>
              {filtered
                ? t('No entries match this filter.')
                : t('No entries yet. Top up above, then order your first scan.')}
            </p>
          ) : (
            <Lines lines={lines} />
          )
        }
      </Loaded>
      <More of={statement}>{t('Show older entries')}</More>
    </section>
  );
}

function Filter({ filter, setFilter }: { filter: StatementFilter; setFilter: (filter: StatementFilter) => void }) {
  const { kind, from, to } = filter;
  return (
    <div className={styles.filter}>
      <SelectField
        label={t('Show')}
        options={[words(ALL), ...ENTRY_KINDS.map(titleOf)]}
        value={kind ? titleOf(kind) : words(ALL)}
        onChange={({ target }) =>
          setFilter({ ...filter, kind: ENTRY_KINDS.find((each) => titleOf(each) === target.value) })
        }
      />
      <TextField
        label={t('From (UTC)')}
        type="date"
        value={from ?? ''}
        max={to}
        onChange={({ target }) => setFilter({ ...filter, from: target.value || undefined })}
      />
      <TextField
        label={t('To (UTC)')}
        type="date"
        value={to ?? ''}
        min={from}
        onChange={({ target }) => setFilter({ ...filter, to: target.value || undefined })}
      />
    </div>
  );
}

const Lines = ({ lines }: { lines: readonly StatementLine[] }) => (
  <table className={styles.table}>
    <thead>
      <tr>
        <th scope="col">{t('Time')}</th>
        <th scope="col">{t('Entry')}</th>
        <th scope="col" className={styles.figure}>
          {t('Amount')}
        </th>
        <th scope="col" className={styles.figure}>
          {t('Balance')}
        </th>
      </tr>
    </thead>
    <tbody>
      {lines.map((line) => (
        <tr key={line.entry_id}>
          <td className={styles.time}>
            <Time at={line.created_at} />
          </td>
          <th scope="row" className={styles.entry}>
            <Entry line={line} />
          </th>
          <td className={`${styles.figure} ${styles.amount} ${line.amount > 0 ? styles.in : ''}`}>
            {plus(line.amount)}
            {usd(line.amount)}
          </td>
          <td className={`${styles.figure} ${styles.balance}`}>{usd(line.balance)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** What an entry was for, with a link. */
function Entry({ line: { kind, note, order_id, payment_id } }: { line: StatementLine }) {
  return (
    <>
      {order_id === null ? (
        titleOf(kind)
      ) : (
        <>
          {kind === 'return' && t('Returned: ')}
          <Link to="/orders" search={{ before: order_id + 1 }}>
            <T of="Order #{order_id}" order_id={String(order_id)} />
          </Link>
        </>
      )}
      {note && <span className={styles.note}>{noteText(note)}</span>}
      {payment_id !== null && (
        <a href={receiptAddress(payment_id)} target="_blank" rel="noreferrer">
          {t('Receipt')}
        </a>
      )}
    </>
  );
}
