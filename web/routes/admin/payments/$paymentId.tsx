import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { message, t, words } from '../../../../domain/language/text.ts';
import { ENTRY_TITLES } from '../../../../domain/money/entry-titles.ts';
import { noteText } from '../../../../domain/money/notes.ts';
import { paymentQuery, settlePayment, type WholePayment } from '../../../api/admin-payments.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Facts, Nothing, Panel } from '../../../components/panel.tsx';
import { usd } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table } from '../../../table/table.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { Time } from '../../../ui/time.tsx';
import { Act } from '../-act.tsx';
import { PAYMENT_WORDS, reversalText } from './-payment-list.tsx';

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
      <title>{t('Payment · Muster')}</title>
      <p>
        <Link to="/admin/payments">{t('All payments')}</Link>
      </p>
      <Loaded query={payment} what={t('the payment')} heights={['12rem', '14rem']}>
        {(whole) => (
          <div className={layout.stack}>
            <Held payment={whole} />
            <AtStripe payment={whole} />
            <Panel title={t('Ledger')} about={t('Entries of this top-up and of what was taken back.')}>
              {whole.ledger.length === 0 ? (
                <Nothing>{t('Nothing was credited.')}</Nothing>
              ) : (
                <Table label={t('Ledger')} columns={LEDGER} rows={whole.ledger} rowId={({ entry_id }) => entry_id} />
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
    <Panel title={t('{amount} of {username}', { amount: usd(amount), username })} about={words(PAYMENT_WORDS[state])}>
      <Facts
        facts={[
          [
            t('Account'),
            <Link key="account" to="/admin/accounts/$userId" params={{ userId: user_id }}>
              {username}
            </Link>,
          ],
          [t('Begun'), <Time key="begun" at={created_at} />],
          [t('Credited'), paid_at === null ? t('no') : <Time key="paid" at={paid_at} />],
          ...reversals.map((reversal) => [reversal.id, reversalText(reversal)] as const),
          [t('Id'), payment_id],
        ]}
      />
      <div className={layout.row}>
        <Act
          label={t('Take state from Stripe')}
          title={t('Take the state from Stripe')}
          about={t(
            'If Stripe has the money, the account is credited now. Otherwise nothing changes but the state shown here.',
          )}
          disabled={state === 'paid' || session_id === null}
          act={async (form) => (await settlePayment(payment_id, textOf(form, 'reason'))).msg}
        />
      </div>
    </Panel>
  );
}

/** A word of Stripe's, which it writes in snake case and its dashboard in English. */
const StripesWord = ({ of }: { of: string }) => <span translate="no">{of.replaceAll('_', ' ')}</span>;

type Reversal = NonNullable<WholePayment['stripe']>['reversals'][number];

const REVERSALS: readonly Column<Reversal>[] = [
  { id: 'at', title: message('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
  { id: 'kind', title: message('What'), cell: ({ kind }) => <StripesWord of={kind} /> },
  { id: 'amount', title: message('Amount'), figures: true, cell: ({ amount }) => usd(amount) },
  { id: 'status', title: message('Status'), cell: ({ status }) => <StripesWord of={status} /> },
  {
    id: 'reason',
    title: message('Reason'),
    grow: true,
    wraps: true,
    cell: ({ reason }) => (reason === null ? t('none given') : <StripesWord of={reason} />),
  },
  { id: 'due', title: message('Answer until'), cell: ({ due_at }) => (due_at === null ? '–' : <Time at={due_at} />) },
];

function AtStripe({ payment: { stripe, stripe_trouble, session_id, payment_intent } }: { payment: WholePayment }) {
  if (!stripe)
    return (
      <Panel title={t('At Stripe')}>
        <Notice>{stripe_trouble}</Notice>
      </Panel>
    );
  const { session, payment, amount, currency, customer, intent, reversals } = stripe;
  return (
    <Panel
      title={t('At Stripe')}
      about={t("As Stripe answered just now. Disputes are answered in Stripe's dashboard.")}
    >
      <Facts
        facts={[
          [t('Payment page'), <StripesWord key="page" of={`${session}, ${payment}`} />],
          [t('Amount'), `${usd(amount)} ${currency === 'usd' ? '' : currency.toUpperCase()}`],
          ...(intent
            ? ([
                [t('Payment'), <StripesWord key="payment" of={intent.status} />],
                [t('Received'), usd(intent.received)],
                ...(intent.failure ? [[t('Last failure'), intent.failure] as const] : []),
                ...(intent.receipt
                  ? [
                      [
                        t('Receipt'),
                        <a key="receipt" href={intent.receipt} target="_blank" rel="noreferrer">
                          {t('Open at Stripe')}
                        </a>,
                      ] as const,
                    ]
                  : []),
              ] as const)
            : []),
          [t('Customer'), customer ?? '–'],
          [t('Session'), session_id],
          ...(payment_intent ? [[t('Payment intent'), payment_intent] as const] : []),
        ]}
      />
      {reversals.length > 0 && (
        <Table label={t('Refunds and disputes')} columns={REVERSALS} rows={reversals} rowId={({ id }) => id} />
      )}
    </Panel>
  );
}

const LEDGER: readonly Column<WholePayment['ledger'][number]>[] = [
  { id: 'time', title: message('Time'), cell: ({ created_at }) => <Time at={created_at} /> },
  {
    id: 'what',
    title: message('What'),
    grow: true,
    wraps: true,
    cell: ({ kind, note }) => noteText(note) || words(ENTRY_TITLES[kind]),
  },
  { id: 'amount', title: message('Amount'), figures: true, cell: ({ amount }) => usd(amount) },
];
