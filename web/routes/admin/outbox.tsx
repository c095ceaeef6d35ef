import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { WEBHOOKS } from '../../../domain/accounts/webhooks.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import { MAIL_STATES, type MailState } from '../../../domain/service/admin-words.ts';
import { type OutboxFilter, type OutboxMail, outboxQuery, sendMailsAgain } from '../../api/admin.ts';
import { FilterChoice } from '../../components/filter-choice.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import filterStyles from '../../components/orders-filter.module.css';
import { isNarrowed } from '../../components/orders-filter.tsx';
import { Nothing } from '../../components/panel.tsx';
import { counted, ownTime } from '../../format.ts';
import { searchReader, text } from '../../search-params.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import layout from '../../ui/layout.module.css';
import { SearchInput, useQueryText, useSearchChange } from '../../ui/search-input.tsx';
import { Time } from '../../ui/time.tsx';
import { Act } from './-act.tsx';
import styles from './admin.module.css';

// Every page loads this reader, so the states are known to the page alone.
const outboxSearch = searchReader({ search: text, state: text });

export const Route = createFileRoute('/admin/outbox')({
  validateSearch: outboxSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchInfiniteQuery(outboxQuery(filterOf(deps)));
  },
  component: Outbox,
});

const stateOf = ({ sent_at, attempts, next_at, given_up, error }: OutboxMail): string => {
  if (sent_at !== null) return t('sent {time}', { time: ownTime(sent_at) });
  if (error === null) return given_up ? t('given up') : t('waiting');
  const values = { attempts, error };
  return given_up
    ? t('given up, {attempts, plural, =0 {not tried} one {tried # time} other {tried # times}}: {error}', values)
    : t('{attempts, plural, =0 {not tried} one {tried # time} other {tried # times}}, next {time}: {error}', {
        ...values,
        time: ownTime(next_at),
      });
};

const isFailed = ({ sent_at, given_up, error }: OutboxMail): boolean =>
  sent_at === null && (given_up || error !== null);

const COLUMNS: readonly Column<OutboxMail>[] = [
  { id: 'at', title: message('Written'), cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'to',
    title: message('Recipient'),
    wraps: true,
    cell: ({ channel, recipient }) =>
      channel === 'mail' ? recipient : t('{channel} of {recipient}', { channel: WEBHOOKS[channel].name, recipient }),
  },
  {
    id: 'mail',
    title: message('Mail'),
    grow: true,
    wraps: true,
    cell: ({ subject, text }) =>
      text ? (
        <details className={styles.mail}>
          <summary>
            <bdi>{subject}</bdi>
          </summary>
          <pre dir="auto">{text}</pre>
        </details>
      ) : (
        <bdi>{subject}</bdi>
      ),
  },
  { id: 'state', title: message('State'), grow: true, wraps: true, cell: stateOf },
  {
    id: 'again',
    title: '',
    cell: (mail) =>
      isFailed(mail) && (
        <Again
          id={mail.id}
          label={t("Send '{subject}' to {recipient} again", { subject: mail.subject, recipient: mail.recipient })}
        />
      ),
  },
];

/** Resends one failed mail. */
const Again = ({ id, label }: { id: number; label: string }) => (
  <Act
    label={t('Send again')}
    name={label}
    title={label}
    about={t('It is due within a minute. If it was tried before, it may arrive twice.')}
    reason={false}
    act={async () => {
      await sendMailsAgain(id);
      return null;
    }}
  />
);

const filterOf = ({ search, state }: { search?: string | undefined; state?: string | undefined }): OutboxFilter => ({
  search: search?.slice(0, 100),
  state: MAIL_STATES.find((each) => each === state),
});

const STATES: Record<MailState, string> = {
  waiting: message('Waiting'),
  given_up: message('Given up'),
  sent: message('Sent'),
};

function Outbox() {
  const filter = filterOf(Route.useSearch());
  const mails = useInfiniteQuery({ ...outboxQuery(filter), placeholderData: keepPreviousData });
  const rows = mails.data?.pages.flatMap((page) => page.mails) ?? [];
  const failed = mails.data?.pages[0]?.failed ?? 0;
  const change = useSearchChange<OutboxFilter>();
  const [typed, setTyped] = useQueryText(filter.search ?? '', (search) => change({ search }));
  return (
    <>
      <title>{t('Outbox · Muster')}</title>
      <p>
        {t(
          'Mails of the last 30 days. Their text is kept only until they are sent, except in a local copy. A failed mail is retried for three days.',
        )}
      </p>
      <search className={filterStyles.filter} aria-label={t('Filter mails')}>
        <div className={filterStyles.search}>
          <SearchInput
            label={t('Search mails')}
            placeholder={t('Recipient or subject')}
            value={typed}
            onChange={setTyped}
          />
        </div>
        <FilterChoice
          label={t('State')}
          value={filter.state}
          values={MAIL_STATES}
          nameOf={(state) => words(STATES[state])}
          change={(state) => change({ state })}
        />
      </search>
      {failed > 0 && (
        <div className={layout.wrap}>
          <Act
            label={t('{count, plural, one {Send # failed mail again} other {Send # failed mails again}}', {
              count: failed,
            })}
            title={t('{count, plural, one {Send # mail again} other {Send # mails again}}', { count: failed })}
            about={
              filter.search
                ? t(
                    'All failed mails that match “{search}” are due within a minute, on every page of this list. Those that were tried before may arrive twice.',
                    { search: filter.search },
                  )
                : t(
                    'All failed mails are due within a minute, on every page of this list. Those that were tried before may arrive twice.',
                  )
            }
            action={t('Send again')}
            reason={false}
            act={async () =>
              t('{mails} will be sent again within a minute.', {
                mails: counted((await sendMailsAgain('all', filter.search)).mails, 'mail'),
              })
            }
          />
        </div>
      )}
      <Loaded query={mails} what={t('the mails')} heights={['20rem']}>
        {() =>
          rows.length === 0 ? (
            <Nothing>{isNarrowed(filter) ? t('No mail matches this filter.') : t('No mail was written yet.')}</Nothing>
          ) : (
            <Table label={t('Mails')} columns={COLUMNS} rows={rows} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      <More of={mails}>{t('Older mails')}</More>
    </>
  );
}
