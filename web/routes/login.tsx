import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, redirect, useRouter } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { accountQuery, login } from '../api/account.ts';
import { messageOf } from '../api/client.ts';
import { CHAT_INVITE, SUPPORT_EMAIL } from '../contact.ts';
import { storedUser, storeUser } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Logo } from '../ui/logo.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './login.module.css';

export interface LoginSearch {
  /** The path that a guard turned away; sign-in leads back to it. */
  from?: string;
}

export const Route = createFileRoute('/login')({
  // Named even where it is nothing: what validation leaves out comes through as it stood in the address.
  validateSearch: ({ from }: Record<string, unknown>): LoginSearch => ({ from: isOwnPath(from) ? from : undefined }),
  beforeLoad: async ({ context, search }) => {
    if (storedUser() === null) return;
    const account = await context.client.ensureQueryData(accountQuery).catch(() => null);
    if (account) throw redirect({ href: search.from ?? '/orders', replace: true });
  },
  component: Login,
});

/** Only a path of this site: '//host' and '/\host' would lead away from it. */
const isOwnPath = (value: unknown): value is string => typeof value === 'string' && /^\/(?![/\\])/.test(value);

function Login() {
  const { from } = Route.useSearch();
  const client = useQueryClient();
  const router = useRouter();
  const signIn = useMutation({
    mutationFn: (form: FormData) => login(String(form.get('username')), String(form.get('password'))),
    onSuccess: async ({ user }) => {
      storeUser(user);
      await client.fetchQuery({ ...accountQuery, staleTime: 0 });
      router.history.replace(from ?? '/orders');
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(new FormData(event.currentTarget));
  };
  return (
    <div className={styles.page}>
      <title>Login · Muster</title>
      <form className={styles.form} onSubmit={submit}>
        <Logo size={36} />
        <h1>Login</h1>
        {from && !signIn.isError && <Notice>Please sign in first. You will come back to where you were going.</Notice>}
        {signIn.isError && <Notice tone="danger">{messageOf(signIn.error)}</Notice>}
        <TextField
          label="Username"
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          required
          maxLength={100}
        />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
          maxLength={200}
        />
        <Button type="submit" look="primary" busy={signIn.isPending}>
          {signIn.isPending ? 'Signing in…' : 'Login'}
        </Button>
        <p className={styles.help}>
          Trouble signing in? Ask in the <a href={CHAT_INVITE}>community chat</a> or write to{' '}
          <a href={`mailto:${SUPPORT_EMAIL}`}>{SUPPORT_EMAIL}</a>.
        </p>
      </form>
    </div>
  );
}
