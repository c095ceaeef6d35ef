import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type ChangeEvent, useState } from 'react';
import { message, t, words } from '../../../../domain/language/text.ts';
import { centsIn } from '../../../../domain/money/typed-cents.ts';
import { accountQuery } from '../../../api/account.ts';
import { adjustBalance, type Comparison, comparisonsQuery, paymentsQuery } from '../../../api/admin-payments.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Loaded, type Loads, useSettled } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { CodeField } from '../../../components/proof-fields.tsx';
import { counted, usd } from '../../../format.ts';
import { searchReader, text } from '../../../search-params.ts';
import { TextField } from '../../../ui/field.tsx';
import { T } from '../../../ui/text.tsx';
import { filterOf, PaymentList } from './-payment-list.tsx';
import styles from './payments.module.css';

export const Route = createFileRoute('/admin/payments/')({
  // Every page loads this reader; what the state may be is known to the list alone.
  validateSearch: searchReader({ search: text, state: text, before: text }),
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(comparisonsQuery);
    void context.client.prefetchQuery(paymentsQuery(filterOf(deps)));
  },
  component: Payments,
});

function Payments() {
  const comparisons = useQuery(comparisonsQuery);
  const filter = filterOf(Route.useSearch());
  const payments = useQuery({ ...paymentsQuery(filter), placeholderData: keepPreviousData });
  // The parts below wait for the list, which would push them down.
  const isSettled = useSettled(payments);
  return (
    <>
      <title>{t('Payments · Muster')}</title>
      <PaymentList filter={filter} payments={payments} />
      {isSettled && <Ledger comparisons={comparisons} />}
    </>
  );
}

/** How the ledger compares with Stripe, and the form that adjusts a balance. */
function Ledger({ comparisons }: { comparisons: Loads<{ days: readonly Comparison[] }> }) {
  return (
    <>
      <Panel
        title={t('Ledger and Stripe')}
        about={t(
          "Each night the ledger is compared with Stripe's balance transactions of the day (UTC). Differences are mailed to the admins.",
        )}
        wide
      >
        <Loaded query={comparisons} what={t('comparisons')} heights={['8rem']}>
          {({ days }) =>
            days.length === 0 ? (
              <Nothing>{t('No day was compared yet. The first is done after midnight.')}</Nothing>
            ) : (
              <Days days={days} />
            )
          }
        </Loaded>
      </Panel>
      <div className={styles.form}>
        <AdjustmentForm />
      </div>
    </>
  );
}

const Days = ({ days }: { days: readonly Comparison[] }) => (
  <ul className={styles.days}>
    {days.map(({ day, stripe, ledger, differences }) => (
      <li key={day}>
        <p className={styles.day}>
          <strong>{day}</strong>
          <span className={differences.length ? styles.differs : styles.agrees}>
            {differences.length ? counted(differences.length, 'difference') : t('No differences')}
          </span>
          <span className={`${styles.sums} tabular`}>
            <T of="Stripe {stripe} · credited {ledger}" stripe={usd(stripe)} ledger={usd(ledger)} />
          </span>
        </p>
        {differences.length > 0 && (
          <ul className={styles.differences}>
            {differences.map((difference) => (
              <li key={difference}>{difference}</li>
            ))}
          </ul>
        )}
      </li>
    ))}
  </ul>
);

const NO_AMOUNT = message('Enter dollars and cents, such as 5 or -2.50.');

function AdjustmentForm() {
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  // A changed form is another adjustment; resubmitting the same form is not.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const amount = centsIn(text) || null;
  const renew = () => setKey(crypto.randomUUID());
  const account = useQuery(accountQuery).data;
  const adjusting = useMutation({
    mutationFn: (form: FormData) =>
      adjustBalance(
        {
          username: textOf(form, 'username'),
          amount: amount ?? 0,
          reason: textOf(form, 'reason'),
          code: account?.two_factor ? textOf(form, 'code') : undefined,
        },
        key,
      ),
    onSuccess: () => {
      setText('');
      setTried(false);
      renew();
    },
  });
  const changed = () => {
    renew();
    if (!adjusting.isPending) adjusting.reset();
  };
  return (
    <FormCard
      title={t('Adjust a balance')}
      about={t(
        "A positive amount adds, a negative one deducts. The reason appears in the user's statement, your name in the audit log.",
      )}
      action={t('Adjust')}
      sending={adjusting}
      clears
      done={adjusting.isSuccess && t('The balance was adjusted.')}
      onSubmit={(form) => {
        setTried(true);
        if (amount !== null) adjusting.mutate(form);
      }}
    >
      <TextField label={t('Username')} name="username" autoComplete="off" required maxLength={100} onChange={changed} />
      <TextField
        label={t('Amount in USD')}
        name="amount"
        autoComplete="off"
        required
        value={text}
        onChange={({ target }: ChangeEvent<HTMLInputElement>) => {
          setText(target.value);
          changed();
        }}
        error={tried && amount === null ? words(NO_AMOUNT) : null}
      />
      <TextField
        label={t('Reason')}
        name="reason"
        autoComplete="off"
        required
        minLength={5}
        maxLength={200}
        onChange={changed}
      />
      {account?.two_factor && <CodeField />}
    </FormCard>
  );
}
