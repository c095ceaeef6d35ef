import { useInfiniteQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { WEBHOOKS } from '../../../domain/accounts/webhooks.ts';
import { type OutboxMail, outboxQuery } from '../../api/admin.ts';
import { Loaded } from '../../components/loaded.tsx';
import { More } from '../../components/more.tsx';
import { Nothing } from '../../components/panel.tsx';
import { ownTime } from '../../format.ts';
import { type PageColumn, PageTable } from '../../table/page-table.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './admin.module.css';

export const Route = createFileRoute('/admin/outbox')({
  loader: ({ context }) => {
    void context.client.prefetchInfiniteQuery(outboxQuery);
  },
  component: Outbox,
});

const stateOf = ({ sent_at, attempts, error }: OutboxMail): string => {
  if (sent_at !== null) return `sent ${ownTime(sent_at)}`;
  return error === null ? 'waiting' : `tried ${attempts} times: ${error}`;
};

const COLUMNS: readonly PageColumn<OutboxMail>[] = [
  { id: 'at', title: 'Written', cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'to',
    title: 'To',
    cell: ({ channel, recipient }) => (channel === 'mail' ? recipient : `${WEBHOOKS[channel].name} of ${recipient}`),
  },
  {
    id: 'mail',
    title: 'Mail',
    grow: true,
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
  { id: 'state', title: 'State', cell: stateOf },
];

function Outbox() {
  const mails = useInfiniteQuery(outboxQuery);
  const rows = mails.data?.pages.flatMap((page) => page.mails) ?? [];
  return (
    <>
      <title>Outbox · Muster</title>
      <p>Mails of the last 30 days. Their text is kept only until they are sent, except in a local copy.</p>
      <Loaded query={mails} what="the mails" heights={['20rem']}>
        {() =>
          rows.length === 0 ? (
            <Nothing>No mail was written yet.</Nothing>
          ) : (
            <PageTable label="Mails" columns={COLUMNS} rows={rows} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      <More of={mails}>Older mails</More>
    </>
  );
}
