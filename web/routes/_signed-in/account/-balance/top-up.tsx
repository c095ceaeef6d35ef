import { type FormEvent, useState } from 'react';
import { capital } from '../../../../../domain/figures.ts';
import { say, t } from '../../../../../domain/language/text.ts';
import type { Cents } from '../../../../../domain/money/money.ts';
import { TOP_UP_PRESETS, topUpFlaw } from '../../../../../domain/money/payment.ts';
import { centsIn } from '../../../../../domain/money/typed-cents.ts';
import { messageOf } from '../../../../api/client.ts';
import card from '../../../../components/form-card.module.css';
import { useCheckout } from '../../../../components/use-checkout.ts';
import { money } from '../../../../format.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import layout from '../../../../ui/layout.module.css';
import { Notice } from '../../../../ui/notice.tsx';
import styles from './top-up.module.css';

/** Formats dollars, with cents only if there are any. */
const written = (cents: Cents): string => (cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2));

const flawOf = (amount: Cents | null): string | null => {
  if (amount === null) return t('Enter an amount in dollars, such as 25 or 12.50.');
  const flaw = topUpFlaw(amount);
  return flaw && capital(say(flaw));
};

/** A form to top up the balance at Stripe. */
export function TopUp({ takesPayments }: { takesPayments: boolean }) {
  const [text, setText] = useState('25');
  const [tried, setTried] = useState(false);
  const checkout = useCheckout();
  const { leaving } = checkout;
  const amount = centsIn(text);
  const flaw = flawOf(amount);
  const change = (next: string) => {
    setText(next);
    checkout.renew();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!flaw && amount !== null && !leaving) checkout.pay(amount);
  };
  return (
    <form className={card.card} onSubmit={submit} noValidate aria-labelledby="top-up-title">
      <h3 id="top-up-title">{t('Add to your balance')}</h3>
      <fieldset className={styles.presets}>
        <legend className="visually-hidden">{t('Amounts')}</legend>
        {TOP_UP_PRESETS.map((cents) => (
          <button
            key={cents}
            type="button"
            className={styles.preset}
            aria-pressed={amount === cents}
            onClick={() => change(written(cents))}
          >
            ${written(cents)}
          </button>
        ))}
      </fieldset>
      <TextField
        label={t('Amount in USD')}
        name="amount"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={({ target }) => change(target.value)}
        error={tried ? flaw : null}
        help={t('From 5.00 to 1,000.00.')}
      />
      {checkout.error && <Notice tone="danger">{messageOf(checkout.error)}</Notice>}
      {!takesPayments && <Notice>{t('Payments are not open yet.')}</Notice>}
      <Button type="submit" look="primary" busy={leaving || !takesPayments}>
        {leaving
          ? t('Going to Stripe…')
          : t('Pay {value} with Stripe', { value: amount !== null && !flaw ? money(amount) : '' })}
      </Button>
      <p className={layout.quiet}>
        {t('Your card is entered at Stripe; we never see it. The balance pays for orders and is not refunded.')}
      </p>
    </form>
  );
}
