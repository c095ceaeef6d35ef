import { useMutation } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { askReset, resetPassword } from '../api/security.ts';
import { EntryPage, textOf } from '../components/entry-page.tsx';
import { isSameTwice, NewPassword } from '../components/new-password.tsx';
import { useOnward } from '../components/use-onward.ts';
import { searchReader, text } from '../search-params.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';

export const Route = createFileRoute('/password_reset')({
  // The token from the mail; without it, the page asks for an address.
  validateSearch: searchReader({ token: text }),
  component: PasswordReset,
});

function PasswordReset() {
  const { token } = Route.useSearch();
  return token === undefined ? <AskForMail /> : <SetPassword token={token} />;
}

const BackToLogin = () => (
  <p>
    <Link to="/login">{t('Back to the login')}</Link>
  </p>
);

function AskForMail() {
  const asking = useMutation({ mutationFn: (form: FormData) => askReset(textOf(form, 'email')) });
  return (
    <EntryPage title={t('Reset your password')} onSubmit={asking.mutate} error={asking.error} help={<BackToLogin />}>
      {asking.data && <Notice>{asking.data.message}</Notice>}
      <TextField
        label={t('E-mail')}
        name="email"
        type="email"
        autoComplete="email"
        help={t('The address of your account. The link in the mail works for an hour.')}
        required
        maxLength={254}
      />
      <Button type="submit" look="primary" busy={asking.isPending}>
        {t('Send the mail')}
      </Button>
    </EntryPage>
  );
}

function SetPassword({ token }: { token: string }) {
  const navigate = Route.useNavigate();
  const [unequal, setUnequal] = useState(false);
  const setting = useMutation({
    mutationFn: (password: string) => resetPassword(token, password),
  });
  useOnward(setting.isSuccess, () => navigate({ to: '/login', search: { note: 'reset' }, replace: true }));
  const submit = (form: FormData) => {
    const differs = !isSameTwice(form);
    setUnequal(differs);
    if (!differs && !setting.isPending) setting.mutate(String(form.get('password')));
  };
  return (
    <EntryPage title={t('Set a new password')} onSubmit={submit} error={setting.error} help={<BackToLogin />}>
      <NewPassword help={t('You will be signed out everywhere.')} unequal={unequal} />
      <Button type="submit" look="primary" busy={setting.isPending || setting.isSuccess}>
        {t('Set the password')}
      </Button>
    </EntryPage>
  );
}
