import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { SCOPE_WORDS, SCOPES } from '../../../../domain/accounts/scopes.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { accountQuery } from '../../../api/account.ts';
import { messageOf } from '../../../api/client.ts';
import { type ApiKey, createKey, keysQuery, revokeKey } from '../../../api/security.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Nothing, Panel } from '../../../components/panel.tsx';
import { CodeField, PasswordField } from '../../../components/proof-fields.tsx';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { CheckField, TextField } from '../../../ui/field.tsx';
import layout from '../../../ui/layout.module.css';
import { Notice } from '../../../ui/notice.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from './-security/lists.module.css';

export const Route = createFileRoute('/_signed-in/account/keys')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(keysQuery);
  },
  component: ApiKeys,
});

function ApiKeys() {
  const { account } = Route.useRouteContext();
  const { data: latest } = useQuery(accountQuery);
  return (
    <>
      <title>{t('API Keys · Muster')}</title>
      <p>
        <T
          of="With a key your own programs can read results and place orders. See the <link>API documentation</link>."
          link={(text) => <Link to="/api-docs">{text}</Link>}
        />
      </p>
      <KeyList />
      <NewKey twoFactor={(latest ?? account).two_factor} isAdmin={account.role !== 'user'} />
    </>
  );
}

function KeyList() {
  const client = useQueryClient();
  const keys = useQuery(keysQuery);
  const revoking = useMutation({
    mutationFn: revokeKey,
    onSuccess: () => client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  return (
    <Panel title={t('Your keys')}>
      {revoking.isError && <Notice tone="danger">{messageOf(revoking.error)}</Notice>}
      <Loaded query={keys} what={t('your keys')} heights={['4rem']}>
        {(own) =>
          own.length === 0 ? (
            <Nothing>{t('You have no keys. Make one below.')}</Nothing>
          ) : (
            <ul className={styles.list}>
              {own.map((key) => (
                <KeyLine
                  key={key.id}
                  apiKey={key}
                  busy={revoking.isPending && revoking.variables === key.id}
                  onRevoke={() => revoking.mutate(key.id)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}

const KeyLine = ({ apiKey, busy, onRevoke }: { apiKey: ApiKey; busy: boolean; onRevoke: () => void }) => (
  <li className={styles.line}>
    <div className={styles.words}>
      <p className={styles.title}>
        {apiKey.name}
        {apiKey.scopes.map((scope) => (
          <span key={scope} className={styles.badge}>
            {words(SCOPE_WORDS[scope].label)}
          </span>
        ))}
      </p>
      <p className={layout.quiet}>
        {apiKey.last_used_at ? (
          <T
            of="{prefix}… · made {time} · last used {used}"
            prefix={apiKey.prefix}
            time={<Time at={apiKey.created_at} />}
            used={<Time at={apiKey.last_used_at} />}
          />
        ) : (
          <T of="{prefix}… · made {time} · never used" prefix={apiKey.prefix} time={<Time at={apiKey.created_at} />} />
        )}
      </p>
    </div>
    <Button busy={busy} onClick={onRevoke} aria-label={t('Revoke {name}', { name: apiKey.name })}>
      {t('Revoke')}
    </Button>
  </li>
);

function NewKey({ twoFactor, isAdmin }: { twoFactor: boolean; isAdmin: boolean }) {
  const client = useQueryClient();
  const making = useMutation({
    mutationFn: (form: FormData) =>
      createKey({
        name: textOf(form, 'name'),
        scopes: SCOPES.filter((scope) => form.has(scope)),
        current_password: String(form.get('current_password')),
        code: textOf(form, 'code') || undefined,
      }),
    // Also if no answer arrived: the key may exist, and the user would otherwise create another.
    onSettled: () => void client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  return (
    <FormCard
      clears
      title={t('New key')}
      about={t('We mail you about every new key.')}
      action={t('Make the key')}
      sending={making}
      onSubmit={making.mutate}
      done={
        making.data && (
          <>
            {t('This is the key. Copy it now: it is not shown again.')}
            <p className={styles.key}>{making.data.key}</p>
            <CopyButton text={making.data.key} what={t('the key')} />
          </>
        )
      }
    >
      <TextField
        label={t('Name')}
        name="name"
        placeholder={t('Alliance bot')}
        autoComplete="off"
        required
        maxLength={60}
      />
      {SCOPES.filter((scope) => scope !== 'metrics' || isAdmin).map((scope) => (
        <CheckField
          key={scope}
          name={scope}
          defaultChecked={scope === 'read'}
          label={words(SCOPE_WORDS[scope].label)}
          help={words(SCOPE_WORDS[scope].help)}
        />
      ))}
      <PasswordField />
      {twoFactor && <CodeField />}
    </FormCard>
  );
}
