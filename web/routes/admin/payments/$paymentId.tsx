import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { ENTRY_TITLES } from '../../../../domain/money/ledger.ts';
import { paymentQuery, settlePayment, type WholePayment } from '../../../api/admin-payments.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Facts, Nothing, Panel } from '../../../components/panel.tsx';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import { Act } from '../-act.tsx';
import { PAYMENT_WORDS, reversalText, usd } from './-payment-list.tsx';

export const Route = createFileRoute('/admin/payments/$paymentId')({
  loader: ({ context, params }) => {
    void context.client.prefetchQuery(paymentQuery(params.paymentId));
  },
  component: PaymentPage,
});

function PaymentPage() {
  const { paymentId } = Route.useParams();
  const payment = useQuery(paymentQuery(paymentId));
  return (
    <>
      <title>Payment · Muster</title>
      <p>
        <Link to="/admin/payments">All payments</Link>
      </p>
      <Loaded query={payment} what="the payment" heights={['12rem', '14rem']}>
        {(whole) => (
          <div className={layout.stack}>
            <Held payment={whole} />
            <AtStripe payment={whole} />
            <Panel title="Ledger" about="Entries of this top-up and of what was taken back.">
              {whole.ledger.length === 0 ? (
                <Nothing>Nothing was credited.</Nothing>
              ) : (
                <Table label="Ledger" columns={LEDGER} rows={whole.ledger} rowId={({ entry_id }) => entry_id} />
              )}
            </Panel>
          </div>
        )}
      </Loaded>
    </>
  );
}

function Held({ payment }: { payment: WholePayment }) {
  const { payment_id, user_id, username, amount, state, created_at, paid_at, session_id, reversals } = payment;
  return (
    <Panel title={`${usd(amount)} of ${username}`} about={PAYMENT_WORDS[state]}>
      <Facts
        facts={[
          [
            'Account',
            <Link key="account" to="/admin/accounts/$userId" params={{ userId: user_id }}>
              {username}
            </Link>,
          ],
          ['Begun', <Time key="begun" at={created_at} />],
          ['Credited', paid_at === null ? 'no' : <Time key="paid" at={paid_at} />],
          ...reversals.map((reversal) => [reversal.id, reversalText(reversal)] as const),
          ['Id', payment_id],
        ]}
      />
      <div className={layout.row}>
        <Act
          label="Take state from Stripe"
          title="Take the state from Stripe"
          about="If Stripe has the money, the account is credited now. Otherwise nothing changes but the state shown here."
          disabled={state === 'paid' || session_id === null}
          act={async (form) => (await settlePayment(payment_id, textOf(form, 'reason'))).msg}
        />
      </div>
    </Panel>
  );
}

/** Stripe writes its statuses in snake case. */
const inWords = (status: string): string => status.replaceAll('_', ' ');

type Reversal = NonNullable<WholePayment['stripe']>['reversals'][number];

const REVERSALS: readonly Column<Reversal>[] = [
  { id: 'at', title: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'kind', title: 'What', cell: ({ kind }) => kind },
  { id: 'amount', title: 'Amount', figures: true, cell: ({ amount }) => usd(amount) },
  { id: 'status', title: 'Status', cell: ({ status }) => inWords(status) },
  {
    id: 'reason',
    title: 'Reason',
    grow: true,
    wraps: true,
    cell: ({ reason }) => (reason === null ? 'none given' : inWords(reason)),
  },
  { id: 'due', title: 'Answer until', cell: ({ due_at }) => (due_at === null ? '–' : <Time at={due_at} />) },
];

function AtStripe({ payment: { stripe, stripe_trouble, session_id, payment_intent } }: { payment: WholePayment }) {
  if (!stripe)
    return (
      <Panel title="At Stripe">
        <Notice>{stripe_trouble}</Notice>
      </Panel>
    );
  const { session, payment, amount, currency, customer, intent, reversals } = stripe;
  return (
    <Panel title="At Stripe" about="As Stripe answered just now. Disputes are answered in Stripe's dashboard.">
      <Facts
        facts={[
          ['Payment page', `${inWords(session)}, ${inWords(payment)}`],
          ['Amount', `${usd(amount)} ${currency === 'usd' ? '' : currency.toUpperCase()}`],
          ...(intent
            ? ([
                ['Payment', inWords(intent.status)],
                ['Received', usd(intent.received)],
                ...(intent.failure ? [['Last failure', intent.failure] as const] : []),
                ...(intent.receipt
                  ? [
                      [
                        'Receipt',
                        <a key="receipt" href={intent.receipt} target="_blank" rel="noreferrer">
                          Open at Stripe
                        </a>,
                      ] as const,
                    ]
                  : []),
              ] as const)
            : []),
          ['Customer', customer ?? 'none'],
          ['Session', session_id],
          ...(payment_intent ? [['Payment intent', payment_intent] as const] : []),
        ]}
      />
      {reversals.length > 0 && (
        <Table label="Refunds and disputes" columns={REVERSALS} rows={reversals} rowId={({ id }) => id} />
      )}
    </Panel>
  );
}

const LEDGER: readonly Column<WholePayment['ledger'][number]>[] = [
  { id: 'time', title: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'what', title: 'What', grow: true, wraps: true, cell: ({ kind, note }) => note || ENTRY_TITLES[kind] },
  { id: 'amount', title: 'Amount', figures: true, cell: ({ amount }) => usd(amount) },
];
