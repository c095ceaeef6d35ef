import { useMutation } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../domain/language/text.ts';
import { register } from '../api/security.ts';
import { EntryPage, textOf } from '../components/entry-page.tsx';
import { isSameTwice, NewPassword } from '../components/new-password.tsx';
import { useOnward } from '../components/use-onward.ts';
import { fromOf } from '../own-path.ts';
import { useSettings } from '../page-settings.ts';
import { searchReader, textUpTo } from '../search-params.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { T } from '../ui/text.tsx';

export const Route = createFileRoute('/register')({
  // The access code of an invitation link, and the page that the user wanted before they had an account.
  validateSearch: searchReader({ code: textUpTo(64), from: (value) => fromOf({ from: value }) }),
  component: Register,
});

function Register() {
  const { code, from } = Route.useSearch();
  const navigate = Route.useNavigate();
  const [unequal, setUnequal] = useState(false);
  const creating = useMutation({
    mutationFn: (form: FormData) =>
      register({
        username: textOf(form, 'username'),
        fullname: textOf(form, 'fullname'),
        password: String(form.get('password')),
        email: textOf(form, 'email'),
        access_code: textOf(form, 'access_code'),
      }),
  });
  useOnward(creating.isSuccess, () => navigate({ to: '/login', search: { note: 'registered', from } }));
  const submit = (form: FormData) => {
    const differs = !isSameTwice(form);
    setUnequal(differs);
    if (!differs && !creating.isPending) creating.mutate(form);
  };
  return (
    <EntryPage title={t('Create an account')} onSubmit={submit} error={creating.error} help={<Help />}>
      <TextField
        label={t('Username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        required
        minLength={3}
        maxLength={32}
        pattern="[A-Za-z0-9][A-Za-z0-9_.\-]*"
        title={t('Letters, digits, dots, hyphens and underscores')}
      />
      <TextField label={t('Full name')} name="fullname" autoComplete="name" maxLength={100} />
      <NewPassword
        label={t('Password')}
        help={t('A few words that do not belong together are easy to keep and hard to guess.')}
        unequal={unequal}
      />
      <TextField label={t('E-mail')} name="email" type="email" autoComplete="email" required maxLength={254} />
      <TextField
        label={t('Access code')}
        name="access_code"
        autoComplete="off"
        autoCapitalize="characters"
        defaultValue={code}
        required
        maxLength={64}
      />
      <Button type="submit" look="primary" busy={creating.isPending || creating.isSuccess}>
        {creating.isPending ? t('Creating…') : t('Create account')}
      </Button>
    </EntryPage>
  );
}

function Help() {
  const { from } = Route.useSearch();
  const { chat } = useSettings();
  return (
    <>
      <p>
        <T
          of="Already have an account? <link>Login</link>"
          link={(text) => (
            <Link to="/login" search={{ from }}>
              {text}
            </Link>
          )}
        />
      </p>
      <p>
        <T
          of="No access code? Ask for one in the <link>community chat</link>."
          link={(text) => <a href={chat}>{text}</a>}
        />
      </p>
    </>
  );
}
