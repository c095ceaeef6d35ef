import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { t } from '../../../../../domain/language/text.ts';
import type { Cents } from '../../../../../domain/money/money.ts';
import { MAX_WARNING } from '../../../../../domain/money/payment.ts';
import { centsIn } from '../../../../../domain/money/typed-cents.ts';
import { balanceQuery, setWarning } from '../../../../api/balance.ts';
import { messageOf } from '../../../../api/client.ts';
import card from '../../../../components/form-card.module.css';
import { usd } from '../../../../format.ts';
import { Button } from '../../../../ui/button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import layout from '../../../../ui/layout.module.css';
import { Notice } from '../../../../ui/notice.tsx';

const thresholdOf = (text: string): Cents | null => {
  const cents = centsIn(text);
  return cents !== null && cents > 0 && cents <= MAX_WARNING ? cents : null;
};

/** The low-balance warning. `threshold` is in dollars; null means no warning. */
export function Warning({ threshold }: { threshold: number | null }) {
  const client = useQueryClient();
  const [text, setText] = useState(threshold === null ? '' : threshold.toFixed(2));
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: setWarning,
    onSuccess: async (saved, asked) => {
      await client.cancelQueries({ queryKey: balanceQuery.queryKey });
      client.setQueryData(balanceQuery.queryKey, (before) => before && { ...before, ...saved });
      if (asked === null) setText('');
    },
  });
  const cents = thresholdOf(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (cents !== null && !save.isPending) save.mutate(cents);
  };
  return (
    <form className={card.card} onSubmit={submit} noValidate aria-labelledby="warning-title">
      <h3 id="warning-title">{t('Low balance warning')}</h3>
      <p className={layout.quiet}>
        {threshold === null
          ? t('Get a mail when your balance falls below an amount, before a schedule stops for lack of money.')
          : t('You get a mail when your balance falls below {money}.', { money: usd(threshold) })}
      </p>
      <TextField
        label={t('Warn me below, in USD')}
        name="threshold"
        inputMode="decimal"
        autoComplete="off"
        placeholder="5.00"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          save.reset();
        }}
        error={tried && cents === null ? t('Enter an amount above zero, 10,000.00 at most.') : null}
      />
      {save.isError && <Notice tone="danger">{messageOf(save.error)}</Notice>}
      <div className={card.actions}>
        <Button type="submit" busy={save.isPending}>
          {save.isSuccess && threshold !== null ? t('Saved') : t('Save')}
        </Button>
        {threshold !== null && (
          <Button look="bare" busy={save.isPending} onClick={() => save.mutate(null)}>
            {t('Switch off')}
          </Button>
        )}
      </div>
    </form>
  );
}
