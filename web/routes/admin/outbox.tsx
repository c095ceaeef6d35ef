import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { WEBHOOKS } from '../../../domain/accounts/webhooks.ts';
import { MAIL_STATES, type MailState } from '../../../domain/service/admin-words.ts';
import { type OutboxFilter, type OutboxMail, outboxQuery, sendMailsAgain } from '../../api/admin.ts';
import { messageOf } from '../../api/client.ts';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import filterStyles from '../../components/orders-filter.module.css';
import { isNarrowed } from '../../components/orders-filter.tsx';
import { Nothing } from '../../components/panel.tsx';
import { counted, ownTime } from '../../format.ts';
import { searchReader, text } from '../../search-params.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { Button } from '../../ui/button.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { SearchInput, useQueryText } from '../../ui/search-input.tsx';
import { Select } from '../../ui/select.tsx';
import { Time } from '../../ui/time.tsx';
import { Act, useMayAct } from './-act.tsx';
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
  if (sent_at !== null) return `sent ${ownTime(sent_at)}`;
  if (error === null) return given_up ? 'given up' : 'waiting';
  const tries = attempts === 0 ? 'not tried' : `tried ${counted(attempts, 'time')}`;
  return `${given_up ? `given up, ${tries}` : `${tries}, next ${ownTime(next_at)}`}: ${error}`;
};

const isFailed = ({ sent_at, given_up, error }: OutboxMail): boolean =>
  sent_at === null && (given_up || error !== null);

const COLUMNS: readonly Column<OutboxMail>[] = [
  { id: 'at', title: 'Written', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'to',
    title: 'To',
    wraps: true,
    cell: ({ channel, recipient }) => (channel === 'mail' ? recipient : `${WEBHOOKS[channel].name} of ${recipient}`),
  },
  {
    id: 'mail',
    title: 'Mail',
    wraps: true,
    cell: ({ subject, text }) =>
      text ? (
        <details className={styles.mail}>
          <summary>{subject}</summary>
          <pre>{text}</pre>
        </details>
      ) : (
        subject
      ),
  },
  { id: 'state', title: 'State', grow: true, wraps: true, cell: stateOf },
  {
    id: 'again',
    title: '',
    cell: (mail) =>
      isFailed(mail) && <Again id={mail.id} label={`Send '${mail.subject}' to ${mail.recipient} again`} />,
  },
];

/** Resends one failed mail. */
function Again({ id, label }: { id: number; label: string }) {
  const client = useQueryClient();
  const sending = useMutation({
    mutationFn: () => sendMailsAgain(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['admin', 'outbox'] }),
  });
  const mayAct = useMayAct();
  if (sending.isError) return <Notice tone="danger">{messageOf(sending.error)}</Notice>;
  return (
    <Button busy={sending.isPending} disabled={!mayAct} onClick={() => sending.mutate()} aria-label={label}>
      Send again
    </Button>
  );
}

const filterOf = ({ search, state }: { search?: string | undefined; state?: string | undefined }): OutboxFilter => ({
  search: search?.slice(0, 100),
  state: MAIL_STATES.find((each) => each === state),
});

const STATES: Record<MailState, string> = { waiting: 'Waiting', given_up: 'Given up', sent: 'Sent' };

function Outbox() {
  const filter = filterOf(Route.useSearch());
  const navigate = Route.useNavigate();
  const mails = useInfiniteQuery({ ...outboxQuery(filter), placeholderData: keepPreviousData });
  const rows = mails.data?.pages.flatMap((page) => page.mails) ?? [];
  const failed = mails.data?.pages[0]?.failed ?? 0;
  const change = (part: OutboxFilter) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace: true, resetScroll: false });
  const [typed, setTyped] = useQueryText(filter.search ?? '', (search) => change({ search }));
  const matching = filter.search ? ` that match '${filter.search}'` : '';
  return (
    <>
      <title>Outbox · Muster</title>
      <p>
        Mails of the last 30 days. Their text is kept only until they are sent, except in a local copy. A failed mail is
        retried for three days.
      </p>
      <search className={filterStyles.filter} aria-label="Filter mails">
        <div className={filterStyles.search}>
          <SearchInput label="Search mails" placeholder="Recipient or subject" value={typed} onChange={setTyped} />
        </div>
        <label className={filterStyles.choice}>
          State
          <Select
            value={filter.state ?? ''}
            onChange={({ target }) => change({ state: (target.value || undefined) as MailState | undefined })}
          >
            <option value="">All</option>
            {MAIL_STATES.map((state) => (
              <option key={state} value={state}>
                {STATES[state]}
              </option>
            ))}
          </Select>
        </label>
      </search>
      {failed > 0 && (
        <div className={layout.wrap}>
          <Act
            label={`Send ${counted(failed, 'failed mail')} again`}
            title={`Send ${counted(failed, 'mail')} again`}
            about={`All failed mails${matching} are due within a minute, on every page of this list. Those that were tried before may arrive twice.`}
            action="Send again"
            reason={false}
            act={async () =>
              `${counted((await sendMailsAgain('all', filter.search)).mails, 'mail')} will be sent again within a minute.`
            }
          />
        </div>
      )}
      <Loaded query={mails} what="the mails" heights={['20rem']}>
        {() =>
          rows.length === 0 ? (
            <Nothing>{isNarrowed(filter) ? 'No mail matches this filter.' : 'No mail was written yet.'}</Nothing>
          ) : (
            <Table label="Mails" columns={COLUMNS} rows={rows} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      <More of={mails}>Older mails</More>
    </>
  );
}
