import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../../domain/language/text.ts';
import { accountQuery } from '../../../api/account.ts';
import { activityQuery, changePassword, keysQuery, sessionsQuery } from '../../../api/security.ts';
import { Cards, FormCard } from '../../../components/form-card.tsx';
import { isSameTwice, NewPassword } from '../../../components/new-password.tsx';
import { PasswordField } from '../../../components/proof-fields.tsx';
import { CheckField } from '../../../ui/field.tsx';
import { Activity } from './-security/activity.tsx';
import { Sessions } from './-security/sessions.tsx';
import { TwoFactor } from './-security/two-factor.tsx';

export const Route = createFileRoute('/_signed-in/account/security')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(sessionsQuery);
    void context.client.prefetchQuery(activityQuery);
    void context.client.prefetchQuery(keysQuery);
  },
  component: Security,
});

function Security() {
  const { account } = Route.useRouteContext();
  const { data: latest } = useQuery(accountQuery);
  const data = latest ?? account;
  return (
    <>
      <title>{t('Security · Muster')}</title>
      <Cards>
        <PasswordForm />
        <TwoFactor on={data.two_factor} />
      </Cards>
      <Sessions />
      <Activity />
    </>
  );
}

function PasswordForm() {
  const client = useQueryClient();
  const keys = useQuery(keysQuery);
  const [unequal, setUnequal] = useState(false);
  const changing = useMutation({
    mutationFn: (form: FormData) =>
      changePassword({
        current_password: String(form.get('current_password')),
        password: String(form.get('password')),
        end_keys: form.has('end_keys'),
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await client.invalidateQueries({ queryKey: activityQuery.queryKey });
      await client.invalidateQueries({ queryKey: keysQuery.queryKey });
    },
  });
  const submit = (form: FormData) => {
    const differs = !isSameTwice(form);
    setUnequal(differs);
    if (!differs) changing.mutate(form);
  };
  return (
    <FormCard
      clears
      title={t('Change password')}
      about={t('You stay signed in here; every other session ends.')}
      action={t('Change password')}
      sending={changing}
      done={changing.data?.message}
      onSubmit={submit}
    >
      <PasswordField label={t('Current password')} />
      <NewPassword again={t('Confirm new password')} unequal={unequal} />
      {(keys.data?.length ?? 0) > 0 && (
        <CheckField
          name="end_keys"
          label={t('Revoke my API keys too')}
          help={t('Do this if somebody else may know the password. Programs that use a key stop working.')}
        />
      )}
    </FormCard>
  );
}
