import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, redirect, useRouter } from '@tanstack/react-router';
import { MAX_PASSWORD } from '../../domain/accounts/password.ts';
import { message, t, words } from '../../domain/language/text.ts';
import { accountQuery, login } from '../api/account.ts';
import { ApiError, messageOf } from '../api/client.ts';
import { EntryPage, textOf } from '../components/entry-page.tsx';
import { useOnward } from '../components/use-onward.ts';
import { HOME } from '../home.ts';
import { fromOf } from '../own-path.ts';
import { useSettings } from '../page-settings.ts';
import { storedUser, storeUser } from '../session.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { T } from '../ui/text.tsx';

/** Messages of the page that redirected here. */
const NOTES = {
  registered: message('Your account was created. Open the link in the mail that we sent you, then sign in.'),
  reset: message('Your password was changed. Sign in with the new one.'),
  deleted: message('Your account was deleted.'),
} as const;

export interface LoginSearch {
  /** The path that a guard redirected from; the user returns to it. */
  from?: string;
  note?: keyof typeof NOTES;
}

const noteOf = ({ note }: Record<string, unknown>): LoginSearch['note'] =>
  Object.hasOwn(NOTES, String(note)) ? (note as keyof typeof NOTES) : undefined;

export const Route = createFileRoute('/login')({
  // Returns every key, even if undefined, because the router keeps omitted keys as they are in the URL.
  validateSearch: (search: Record<string, unknown>): LoginSearch => ({ from: fromOf(search), note: noteOf(search) }),
  beforeLoad: async ({ context, search }) => {
    if (storedUser() === null) return;
    const account = await context.client.ensureQueryData(accountQuery).catch(() => null);
    if (account) throw redirect({ href: search.from ?? HOME, replace: true });
  },
  component: Login,
});

const asksForCode = (error: unknown): boolean => error instanceof ApiError && error.reason === 'two_factor';

const isUnverified = (error: unknown): boolean => error instanceof ApiError && error.reason === 'unverified';

function Login() {
  const { from, note } = Route.useSearch();
  const client = useQueryClient();
  const router = useRouter();
  const signIn = useMutation({
    mutationFn: (form: FormData) =>
      login(textOf(form, 'username'), String(form.get('password')), textOf(form, 'code') || undefined),
    onSuccess: async ({ user }) => {
      storeUser(user);
      await client.fetchQuery({ ...accountQuery, staleTime: 0 });
    },
  });
  useOnward(signIn.isSuccess, () =>
    signIn.data?.eula_accepted
      ? router.history.replace(from ?? HOME)
      : router.navigate({ to: '/eula', search: { from }, replace: true }),
  );
  const needsCode = asksForCode(signIn.error) || Boolean(signIn.variables?.get('code'));
  const firstAsked = needsCode && !signIn.variables?.get('code');
  return (
    <EntryPage title={t('Login')} onSubmit={signIn.mutate} help={<Help from={from} />}>
      {note && !signIn.isError && <Notice>{words(NOTES[note])}</Notice>}
      {from && !signIn.isError && (
        <Notice>{t('Please sign in first. You will then return to the page you wanted.')}</Notice>
      )}
      {signIn.isError && (
        <Notice
          tone={firstAsked ? 'note' : 'danger'}
          action={
            isUnverified(signIn.error) && (
              <Button type="submit" busy={signIn.isPending}>
                {t('Send the mail again')}
              </Button>
            )
          }
        >
          {messageOf(signIn.error)}
        </Notice>
      )}
      <TextField
        label={t('Username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        required
        maxLength={100}
      />
      <TextField
        label={t('Password')}
        name="password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={MAX_PASSWORD}
      />
      {needsCode && (
        <TextField
          label={t('Code')}
          name="code"
          help={t('Six digits from your authenticator app, or a recovery code.')}
          autoComplete="one-time-code"
          autoFocus
          required
          maxLength={40}
        />
      )}
      <Button type="submit" look="primary" busy={signIn.isPending || signIn.isSuccess}>
        {signIn.isPending ? t('Signing in…') : t('Login')}
      </Button>
    </EntryPage>
  );
}

function Help({ from }: { from: string | undefined }) {
  const { chat, support } = useSettings();
  return (
    <>
      <p>
        <T
          of="New here? <link>Create an account</link>"
          link={(text) => (
            <Link to="/register" search={{ from }}>
              {text}
            </Link>
          )}
        />
      </p>
      <p>
        <Link to="/password_reset">{t('Reset your password')}</Link>
      </p>
      <p>
        <T
          of="Trouble signing in? Ask in the <link>community chat</link> or write to {a}."
          link={(text) => <a href={chat}>{text}</a>}
          a={<a href={`mailto:${support}`}>{support}</a>}
        />
      </p>
    </>
  );
}
