import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, Clock } from 'lucide';
import { type ReactNode, useEffect } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { centsOf, formatCents } from '../../../../domain/money/money.ts';
import { type PaymentAnswer, paymentQuery, refetchMoney } from '../../../api/balance.ts';
import { ApiError } from '../../../api/client.ts';
import { Failure } from '../../../components/failure.tsx';
import { useOnward } from '../../../components/use-onward.ts';
import { usd } from '../../../format.ts';
import { oneOf, searchReader, text } from '../../../search-params.ts';
import { buttonClass } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Loading, Skeleton } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import styles from './status.module.css';

export const Route = createFileRoute('/_signed-in/payment/status')({
  // Stripe's return URL (specification, section 2); `back` is where the payer came from.
  validateSearch: searchReader({ status: text, session_id: text, back: oneOf(['order']) }),
  component: PaymentStatus,
});

function PaymentStatus() {
  const { status, session_id, back } = Route.useSearch();
  if (status !== 'success') return <Cancelled ordering={back === 'order'} />;
  return session_id ? <Checked sessionId={session_id} ordering={back === 'order'} /> : <Success />;
}

const Screen = ({
  tone,
  icon,
  title,
  children,
}: {
  tone: string;
  icon: ReactNode;
  title: string;
  children: ReactNode;
}) => (
  <section className={styles.screen}>
    <title>{t('{title} · Muster', { title })}</title>
    <span className={`${styles.icon} ${tone}`}>{icon}</span>
    <h1>{title}</h1>
    {children}
  </section>
);

const Next = () => (
  <p className={styles.next}>
    <Link to="/orders/new" className={buttonClass('primary')}>
      {t('Order a scan')}
    </Link>
    <Link to="/account/balance" className={buttonClass()}>
      {t('See your balance')}
    </Link>
  </p>
);

const BackToOrder = () => (
  <Link to="/orders/new" className={buttonClass('primary')}>
    {t('Back to your order')}
  </Link>
);

const Cancelled = ({ ordering }: { ordering: boolean }) => (
  <Screen tone={styles.quiet ?? ''} icon={<Icon of={CircleX} size={40} />} title={t('Cancelled')}>
    <p>{t('Subscription attempt cancelled.')}</p>
    <p className={styles.about}>{t('Nothing was charged, and your balance is as it was.')}</p>
    <p className={styles.next}>
      {ordering ? (
        <BackToOrder />
      ) : (
        <Link to="/account/balance" className={buttonClass('primary')}>
          {t('Back to your balance')}
        </Link>
      )}
    </p>
  </Screen>
);

const Success = ({ children }: { children?: ReactNode }) => (
  <Screen tone={styles.good ?? ''} icon={<Icon of={CircleCheck} size={40} />} title={t('Success!')}>
    <p>{t("Your subscription was successful, and you're ready to go!")}</p>
    {children}
    <Next />
  </Screen>
);

/**
 * Shows the payment's state, which the server asks Stripe for, and the new balance. A user who came from an order
 * returns to it once the payment is confirmed.
 */
function Checked({ sessionId, ordering }: { sessionId: string; ordering: boolean }) {
  const navigate = Route.useNavigate();
  const client = useQueryClient();
  const payment = useQuery(paymentQuery(sessionId));
  const paid = payment.data?.state === 'paid';
  useEffect(() => {
    if (paid) void refetchMoney(client);
  }, [client, paid]);
  useOnward(paid && ordering, () => navigate({ to: '/orders/new', search: { paid: sessionId }, replace: true }));
  if (payment.data) return <Outcome payment={payment.data} />;
  if (payment.isPending)
    return (
      <Screen tone={styles.quiet ?? ''} icon={<Icon of={Clock} size={40} />} title={t('Checking your payment')}>
        <Loading what={t('your payment')} />
        <Skeleton width="16rem" />
      </Screen>
    );
  const unknown = payment.error instanceof ApiError && (payment.error.status === 404 || payment.error.status === 400);
  return (
    <Screen
      tone={styles.quiet ?? ''}
      icon={unknown ? <Icon of={CircleX} size={40} /> : <Icon of={Clock} size={40} />}
      title={unknown ? t('No such payment') : t('Not confirmed yet')}
    >
      {unknown ? (
        <Notice tone="danger">{t('We could not find this payment in your account.')}</Notice>
      ) : (
        <Failure error={payment.error} retry={() => void payment.refetch()} busy={payment.isFetching} />
      )}
      <p className={styles.next}>
        <Link to="/account/balance" className={buttonClass()}>
          {t('See your balance')}
        </Link>
      </p>
    </Screen>
  );
}

function Outcome({ payment }: { payment: PaymentAnswer }) {
  const { state, amount, balance, uncovered } = payment;
  if (state === 'paid')
    return (
      <Success>
        <p className={styles.figure}>
          <span>{t('New balance')}</span>
          <strong className="tabular">{usd(balance)}</strong>
        </p>
        <p className={styles.about}>
          <T of="Topped up {formatCents} USD." formatCents={formatCents(centsOf(amount) ?? 0)} />
        </p>
        {uncovered > 0 && (
          <Notice tone="danger">
            <T of="{uncovered} of reversed payments is still to be covered." uncovered={usd(uncovered)} />
          </Notice>
        )}
      </Success>
    );
  if (state === 'open')
    return (
      <Screen tone={styles.quiet ?? ''} icon={<Icon of={Clock} size={40} />} title={t('Almost there')}>
        <p role="status">
          <T of="Stripe is still working on your payment of {amount}. This page follows it." amount={usd(amount)} />
        </p>
        <p className={styles.about}>{t('You can leave: it is added to your balance as soon as Stripe confirms it.')}</p>
        <Next />
      </Screen>
    );
  return (
    <Screen tone={styles.quiet ?? ''} icon={<Icon of={CircleX} size={40} />} title={t('Not paid')}>
      <p>
        {state === 'expired'
          ? t('This payment expired before it was completed.')
          : t('Your bank refused this payment.')}
      </p>
      <p className={styles.next}>
        <Link to="/account/balance" className={buttonClass('primary')}>
          {t('Try again')}
        </Link>
      </p>
    </Screen>
  );
}
