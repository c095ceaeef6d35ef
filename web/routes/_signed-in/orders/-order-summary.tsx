import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { X } from 'lucide';
import { useState } from 'react';
import { labelled, t, words } from '../../../../domain/language/text.ts';
import { type Cents, centsOf } from '../../../../domain/money/money.ts';
import { MAX_TOP_UP, MIN_TOP_UP, topUpFor } from '../../../../domain/money/payment.ts';
import { MAX_MISSED_RUNS } from '../../../../domain/orders/schedule.ts';
import { accountQuery, balanceOf } from '../../../api/account.ts';
import { balanceQuery } from '../../../api/balance.ts';
import { messageOf } from '../../../api/client.ts';
import type { Offer } from '../../../api/products.ts';
import { schedulesQuery } from '../../../api/schedules.ts';
import type { ListedTeam } from '../../../api/teams.ts';
import { Confirmation } from '../../../components/confirmation.tsx';
import { standingCost } from '../../../components/standing-costs.ts';
import { useCheckout } from '../../../components/use-checkout.ts';
import { counted, money, shortened } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { T } from '../../../ui/text.tsx';
import { type Draft, type DraftItem, totalOf } from './-draft.ts';
import styles from './-order-summary.module.css';
import { OutlookNotes } from './-outlook-notes.tsx';
import { carriedDays, type Timing } from './-timing.ts';
import { TimingChoice } from './-timing-fields.tsx';

type Submission = Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending' | 'isSuccess' | 'error'>;

/**
 * Returns true from the click until the next page. If the draft could change meanwhile, it would be submitted again as
 * another order.
 */
export const isPlacing = ({ isPending, isSuccess }: Pick<Submission, 'isPending' | 'isSuccess'>): boolean =>
  isPending || isSuccess;

/** The draft's items, total and remaining balance. */
export function OrderSummary({
  draft,
  offers,
  remove,
  time,
  payers,
  payer,
  setPayer,
  submission,
}: {
  draft: Draft;
  /** Products loaded so far. */
  offers: readonly Offer[];
  remove: (id: string) => void;
  time: (timing: Timing) => void;
  /** The teams whose balance the user may order from. */
  payers: readonly ListedTeam[];
  /** The team that pays; null if the user does. */
  payer: ListedTeam | null;
  setPayer: (teamId: string | null) => void;
  submission: Submission;
}) {
  const { data: account } = useQuery(accountQuery);
  const total = totalOf(draft);
  const balance = payer ? (centsOf(payer.spendable) ?? 0) : account ? balanceOf(account) : null;
  const left = balance === null ? null : balance - total;
  const short = left !== null && left < 0;
  // A schedule is charged per run, so the balance need not cover it today.
  const { later } = draft.timing;
  const blocked = short && !later;
  const empty = draft.items.length === 0;
  const carried = useCarried(draft, account && balanceOf(account));
  const [asking, setAsking] = useState(false);
  const placing = isPlacing(submission);
  const submit = () => {
    if (empty || blocked) return;
    if (carried?.few) setAsking(true);
    else submission.mutate();
  };
  return (
    <section className={styles.summary} aria-labelledby="summary">
      <h2 id="summary">{t('Order summary')}</h2>
      {empty ? (
        <p className={styles.empty}>{t('Nothing added yet. Fill in a product and press Add to Order.')}</p>
      ) : (
        <ul className={styles.items} inert={placing}>
          {draft.items.map((item) => (
            <SummaryItem
              key={item.id}
              item={item}
              offer={offers.find(({ id }) => id === item.entry.type)}
              remove={() => remove(item.id)}
            />
          ))}
        </ul>
      )}
      {payers.length > 0 && <PayWith payers={payers} payer={payer} setPayer={setPayer} inert={placing} />}
      <dl className={styles.sums}>
        <dt className={styles.total}>{later ? t('Total per run') : t('Total')}</dt>
        <dd className={styles.total}>{money(total)}</dd>
        <dt>{payer ? t('{name}, yours to spend', { name: payer.name }) : t('Balance')}</dt>
        <dd>{balance === null ? <Skeleton width="4rem" /> : money(balance)}</dd>
        <dt>{short ? t('Missing amount') : later ? t('Left after one run') : t('Left after this order')}</dt>
        <dd className={short ? styles.short : ''}>
          {left === null ? <Skeleton width="4rem" /> : money(Math.abs(left))}
        </dd>
      </dl>
      <div inert={placing}>
        <TimingChoice timing={draft.timing} change={time} price={empty ? null : total} days={carried?.days ?? null} />
      </div>
      {short && (
        <Notice>
          {later
            ? t(
                'Your balance does not cover a run yet. A run that the balance does not cover when it is due is skipped.',
              )
            : payer
              ? t(
                  '{name} does not cover this order: its balance or its monthly limit for leaders is too low. Its owner can change both.',
                  { name: payer.name },
                )
              : t('Your balance does not cover this order. Add what is missing, or remove an item.')}
        </Notice>
      )}
      {short && !payer && <TopUpMissing missing={-left} />}
      {submission.error && !asking && <Notice tone="danger">{messageOf(submission.error)}</Notice>}
      <Button look="primary" className={styles.submit} aria-disabled={empty || blocked} busy={placing} onClick={submit}>
        {submission.isPending ? t('Submitting…') : t('Submit Order')}
      </Button>
      {asking && carried && (
        <Confirmation
          title={t('Your balance lasts less than a week')}
          action={t('Schedule it anyway')}
          doing={submission}
          close={() => setAsking(false)}
        >
          <T
            of="It covers this schedule, and those you already have, for about {days}. A run that the balance does not cover when it is due is skipped, and after {MAX_MISSED_RUNS} such runs in a row the schedule is paused."
            days={counted(carried.days, 'day')}
            MAX_MISSED_RUNS={MAX_MISSED_RUNS}
          />
        </Confirmation>
      )}
      <p className={styles.terms}>
        {t(
          'Most scans finish within 10 minutes. You pay only for each hundred delivered; the rest returns to the balance that paid it. No refunds are given.',
        )}
      </p>
      <p className="visually-hidden" role="status">
        <T of="{length} in the order, {total}." length={counted(draft.items.length, 'item')} total={money(total)} />
      </p>
    </section>
  );
}

/** Chooses who pays: the user or one of their teams. Teams of one name are told apart by a number. */
function PayWith({
  payers,
  payer,
  setPayer,
  inert,
}: {
  payers: readonly ListedTeam[];
  payer: ListedTeam | null;
  setPayer: (teamId: string | null) => void;
  inert: boolean;
}) {
  const label = ({ name }: ListedTeam, index: number) => {
    const before = payers.slice(0, index).filter((other) => other.name === name).length;
    return before > 0 ? t('Team {name} ({number})', { name, number: before + 1 }) : t('Team {name}', { name });
  };
  const shown = new Map([
    ['', t('Your own balance')],
    ...payers.map((team, index) => [team.team_id, label(team, index)] as const),
  ]);
  return (
    <div inert={inert}>
      <SelectField
        label={t('Pay with')}
        options={[...shown.keys()]}
        shown={(id) => shown.get(id) ?? id}
        value={payer?.team_id ?? ''}
        onChange={({ target }) => setPayer(target.value || null)}
      />
    </div>
  );
}

/** Returns how many days the balance covers the draft and the active schedules; null if the draft does not repeat. */
function useCarried(draft: Draft, balance: Cents | null | undefined) {
  const { data: schedules } = useQuery({ ...schedulesQuery, enabled: draft.timing.later });
  if (balance == null || !schedules) return null;
  return carriedDays(draft.timing, { price: totalOf(draft), balance, standing: standingCost(schedules) });
}

/** Tops up the missing amount and returns to the order. */
function TopUpMissing({ missing }: { missing: Cents }) {
  const { data } = useQuery(balanceQuery);
  const checkout = useCheckout('order');
  if (!data) return null;
  if (!data.takes_payments) return <Notice>{t('Payments are not open yet.')}</Notice>;
  const needed = missing + (centsOf(data.uncovered) ?? 0);
  const amount = topUpFor(needed);
  return (
    <>
      {checkout.error && <Notice tone="danger">{messageOf(checkout.error)}</Notice>}
      <Button look="primary" className={styles.submit} busy={checkout.leaving} onClick={() => checkout.pay(amount)}>
        {checkout.leaving ? t('Going to Stripe…') : t('Top up {amount}', { amount: money(amount) })}
      </Button>
      <p className={styles.terms}>
        {amount > needed && `${t('The smallest top-up is {amount}.', { amount: money(MIN_TOP_UP) })} `}
        {amount < needed && `${t('The largest top-up is {amount}.', { amount: money(MAX_TOP_UP) })} `}
        {t('You come back to this order, which stays as it is.')}
      </p>
    </>
  );
}

/** Maximum length of a list of kingdoms, in characters. */
const LONGEST = 90;

const SummaryItem = ({ item, offer, remove }: { item: DraftItem; offer: Offer | undefined; remove: () => void }) => (
  <li className={styles.item}>
    <div className={styles.words}>
      <span className={styles.name}>{words(item.name)}</span>
      {Object.entries(item.entry.fields ?? {}).map(([display, value]) => (
        <span key={display} className={styles.detail}>
          {labelled(words(display), shortened(words(String(value)), LONGEST))}
        </span>
      ))}
      {offer && <OutlookNotes offer={offer} params={item.entry.params} />}
    </div>
    <span className={`${styles.price} tabular`}>{money(item.price)}</span>
    <Button
      look="bare"
      onClick={remove}
      aria-label={t('Remove {name}, {price}', { name: words(item.name), price: money(item.price) })}
    >
      <Icon of={X} size={16} />
    </Button>
  </li>
);
