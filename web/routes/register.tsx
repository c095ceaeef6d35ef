import { useMutation } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { register } from '../api/security.ts';
import { EntryPage, textOf } from '../components/entry-page.tsx';
import { isSameTwice, NewPassword } from '../components/new-password.tsx';
import { useOnward } from '../components/use-onward.ts';
import { fromOf } from '../own-path.ts';
import { useSettings } from '../page-settings.ts';
import { searchReader, textUpTo } from '../search-params.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';

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
    <EntryPage title="Create an account" onSubmit={submit} error={creating.error} help={<Help />}>
      <TextField
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        required
        minLength={3}
        maxLength={32}
        pattern="[A-Za-z0-9][A-Za-z0-9_.\-]*"
        title="Letters, digits, dots, hyphens and underscores"
      />
      <TextField label="Full name" name="fullname" autoComplete="name" maxLength={100} />
      <NewPassword
        label="Password"
        help="A few words that do not belong together are easy to keep and hard to guess."
        unequal={unequal}
      />
      <TextField label="E-mail" name="email" type="email" autoComplete="email" required maxLength={254} />
      <TextField
        label="Access code"
        name="access_code"
        autoComplete="off"
        autoCapitalize="characters"
        defaultValue={code}
        required
        maxLength={64}
      />
      <Button type="submit" look="primary" busy={creating.isPending || creating.isSuccess}>
        {creating.isPending ? 'Creating…' : 'Create account'}
      </Button>
    </EntryPage>
  );
}

function Help() {
  const { chat } = useSettings();
  return (
    <>
      <p>
        Already have an account? <Link to="/login">Login</Link>
      </p>
      <p>
        No access code? Ask for one in the <a href={chat}>community chat</a>.
      </p>
    </>
  );
}
