import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { WEBHOOKS } from '../../../domain/accounts/webhooks.ts';
import { type OutboxMail, outboxQuery, sendMailsAgain } from '../../api/admin.ts';
import { messageOf } from '../../api/client.ts';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Nothing } from '../../components/panel.tsx';
import { counted, ownTime } from '../../format.ts';
import type { Column } from '../../table/column.ts';
import { Table } from '../../table/table.tsx';
import { Button } from '../../ui/button.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './admin.module.css';

export const Route = createFileRoute('/admin/outbox')({
  loader: ({ context }) => {
    void context.client.prefetchInfiniteQuery(outboxQuery);
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

/** Resends one failed mail, or all of them. */
function Again({ id, label }: { id: number | 'all'; label?: string }) {
  const client = useQueryClient();
  const sending = useMutation({
    mutationFn: () => sendMailsAgain(id),
    onSuccess: () => client.invalidateQueries({ queryKey: outboxQuery.queryKey }),
  });
  if (sending.isError) return <Notice tone="danger">{messageOf(sending.error)}</Notice>;
  if (id === 'all' && sending.data)
    return <Notice>{counted(sending.data.mails, 'mail')} will be sent again within a minute.</Notice>;
  return (
    <Button busy={sending.isPending} onClick={() => sending.mutate()} aria-label={label}>
      {id === 'all' ? 'Send all failed mails again' : 'Send again'}
    </Button>
  );
}

function Outbox() {
  const mails = useInfiniteQuery(outboxQuery);
  const rows = mails.data?.pages.flatMap((page) => page.mails) ?? [];
  return (
    <>
      <title>Outbox · Muster</title>
      <p>
        Mails of the last 30 days. Their text is kept only until they are sent, except in a local copy. A failed mail is
        retried for three days.
      </p>
      {rows.some(isFailed) && (
        <div className={layout.wrap}>
          <Again id="all" />
        </div>
      )}
      <Loaded query={mails} what="the mails" heights={['20rem']}>
        {() =>
          rows.length === 0 ? (
            <Nothing>No mail was written yet.</Nothing>
          ) : (
            <Table label="Mails" columns={COLUMNS} rows={rows} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      <More of={mails}>Older mails</More>
    </>
  );
}
