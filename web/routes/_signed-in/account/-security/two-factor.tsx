import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../../../../domain/language/text.ts';
import { accountQuery } from '../../../../api/account.ts';
import {
  activityQuery,
  confirmTwoFactor,
  endTwoFactor,
  sessionsQuery,
  startTwoFactor,
} from '../../../../api/security.ts';
import { textOf } from '../../../../components/entry-page.tsx';
import { Card, FormCard } from '../../../../components/form-card.tsx';
import { CodeField, PasswordField } from '../../../../components/proof-fields.tsx';
import { Button } from '../../../../ui/button.tsx';
import { CopyButton } from '../../../../ui/copy-button.tsx';
import { TextField } from '../../../../ui/field.tsx';
import layout from '../../../../ui/layout.module.css';
import { QrCode } from './qr-code.tsx';
import styles from './two-factor.module.css';

/** Two-factor sign-in in its four states: off, being set up, just turned on (with recovery codes), and on. */
export function TwoFactor({ on }: { on: boolean }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const start = useMutation({ mutationFn: startTwoFactor });
  if (codes) return <RecoveryCodes codes={codes} onKept={() => setCodes(null)} />;
  if (on) return <SwitchOff onOff={start.reset} />;
  if (start.data) return <Confirm {...start.data} onCodes={setCodes} />;
  return (
    <FormCard
      title={t('Two-factor sign-in')}
      about={t('Sign-in then requires a code from an authenticator app on your phone besides your password.')}
      action={t('Set up')}
      sending={start}
      onSubmit={(form) => start.mutate(String(form.get('current_password')))}
    >
      <PasswordField />
    </FormCard>
  );
}

function Confirm({ secret, uri, onCodes }: { secret: string; uri: string; onCodes: (codes: string[]) => void }) {
  const client = useQueryClient();
  const confirming = useMutation({
    mutationFn: confirmTwoFactor,
    onSuccess: async ({ recovery_codes }) => {
      onCodes(recovery_codes);
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await client.invalidateQueries({ queryKey: activityQuery.queryKey });
    },
    // It may be on even if no answer arrived.
    onSettled: () => void client.invalidateQueries({ queryKey: accountQuery.queryKey }),
  });
  return (
    <FormCard
      title={t('Set up two-factor sign-in')}
      about={t(
        'Scan the picture with an authenticator app, or type the key into it. Then enter the code that it shows.',
      )}
      action={t('Switch on')}
      look="primary"
      sending={confirming}
      onSubmit={(form) => confirming.mutate(textOf(form, 'code'))}
    >
      <QrCode text={uri} label={t('QR code for the authenticator app')} />
      <p className={styles.secret}>
        <span className="visually-hidden">{t('Key:')} </span>
        {secret.match(/.{1,4}/g)?.join(' ')}
      </p>
      <TextField
        label={t('Code')}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="[0-9]{6}"
        title={t('Six digits')}
        required
        maxLength={6}
      />
    </FormCard>
  );
}

function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  return (
    <Card
      title={t('Two-factor sign-in is on')}
      about={t(
        'Keep these recovery codes somewhere safe. Each signs you in once when you do not have your phone. They are not shown again.',
      )}
    >
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className={layout.wrap}>
        <CopyButton text={codes.join('\n')} what={t('the recovery codes')} />
        <Button look="primary" onClick={onKept}>
          {t('I have kept them')}
        </Button>
      </p>
    </Card>
  );
}

function SwitchOff({ onOff }: { onOff: () => void }) {
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: (form: FormData) => endTwoFactor(String(form.get('current_password')), textOf(form, 'code')),
    onSuccess: async () => {
      onOff();
      await client.invalidateQueries({ queryKey: accountQuery.queryKey });
      await client.invalidateQueries({ queryKey: activityQuery.queryKey });
    },
  });
  return (
    <FormCard
      title={t('Two-factor sign-in')}
      about={t(
        'It is on. To switch it off, enter both factors. If you have lost your recovery codes, switch it off and set it up again to get new ones.',
      )}
      action={t('Switch off')}
      look="danger"
      sending={ending}
      onSubmit={ending.mutate}
    >
      <PasswordField />
      <CodeField />
    </FormCard>
  );
}
