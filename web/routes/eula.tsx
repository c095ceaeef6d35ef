import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, useRef } from 'react';
import { locale } from '../../domain/language/current.ts';
import { SOURCE_LOCALE } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
import { accountQuery } from '../api/account.ts';
import { eulaQuery, LICENCE_KEY, type ShownLicence } from '../api/licenses.ts';
import { acceptEula } from '../api/security.ts';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Refusal } from '../components/refusal.tsx';
import { useAccount } from '../components/signed-in.tsx';
import { LicenceText } from '../components/texts.tsx';
import { useStillHere } from '../components/use-onward.ts';
import { date } from '../format.ts';
import { HOME } from '../home.ts';
import { fromOf } from '../own-path.ts';
import { wholeFrom } from '../search-params.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/field.tsx';
import layout from '../ui/layout.module.css';
import { Notice } from '../ui/notice.tsx';
import { T } from '../ui/text.tsx';
import styles from './eula.module.css';

export const Route = createFileRoute('/eula')({
  validateSearch: (search: Record<string, unknown>): { from?: string; version?: number } => ({
    from: fromOf(search),
    version: wholeFrom(1)(search.version),
  }),
  loaderDeps: ({ search: { version } }) => ({ version }),
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(eulaQuery(deps.version));
  },
  component: Eula,
});

function Eula() {
  const eula = useQuery(eulaQuery(Route.useSearch().version));
  return (
    <Page title={t('Licence')} about={t('The terms of use. You must accept them before you can order.')}>
      {locale() !== SOURCE_LOCALE && <p>{t('The licence is written in English, and its English text is binding.')}</p>}
      <Loaded query={eula} what={t('the licence')} heights={['24rem']}>
        {(licence) => (
          <>
            <Validity licence={licence} />
            <LicenceText text={licence.eula} />
            {licence.version === licence.current && <Consent version={licence.version} />}
            <OtherVersions licence={licence} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Says which version is shown, and when it holds. */
function Validity({ licence: { version, holds_from, current, versions } }: { licence: ShownLicence }) {
  const next = versions.findLast((each) => each.version > version);
  const from = holds_from === '' ? '' : date(holds_from);
  if (version < current)
    return (
      <Notice>
        {t('Version {version}, until {day}. It holds no more.', { version, day: date(next?.holds_from ?? '') })}
      </Notice>
    );
  if (version > current) return <Notice>{t('Version {version} will hold from {day}.', { version, day: from })}</Notice>;
  return (
    <>
      <p>
        {from === ''
          ? t('Version {version}.', { version })
          : t('Version {version}, since {day}.', { version, day: from })}
      </p>
      {next && (
        <Notice>
          <T
            of="Another version will hold from {day}. <link>Read it</link>"
            day={date(next.holds_from)}
            link={(text) => (
              <Link from="/eula" to="/eula" search={({ from }) => ({ from, version: next.version })}>
                {text}
              </Link>
            )}
          />
        </Notice>
      )}
    </>
  );
}

/** Links to the other versions, if there are any. */
function OtherVersions({ licence: { version, current, versions } }: { licence: ShownLicence }) {
  const others = versions.filter((other) => other.version !== version);
  if (others.length === 0) return null;
  return (
    <section>
      <h2>{t('Other versions')}</h2>
      <ul className={layout.stack}>
        {others.map((other) => (
          <li key={other.version}>
            <Link
              from="/eula"
              to="/eula"
              search={({ from }) => ({ from, version: other.version === current ? undefined : other.version })}
            >
              {other.holds_from === ''
                ? t('Version {version}', { version: other.version })
                : t('Version {version}, from {day}', { version: other.version, day: date(other.holds_from) })}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The form that accepts the version, or what hinders it. */
function Consent({ version }: { version: number }) {
  const { account } = useAccount();
  const { from } = Route.useSearch();
  if (account?.eula_accepted) return <Notice>{t('You have accepted this licence.')}</Notice>;
  if (account) return <Acceptance version={version} />;
  return (
    <p>
      <T
        of="<link>Login</link> to accept it, or <link2>create an account</link2>."
        link={(text) => (
          <Link to="/login" search={{ from }}>
            {text}
          </Link>
        )}
        link2={(text) => (
          <Link to="/register" search={{ from }}>
            {text}
          </Link>
        )}
      />
    </p>
  );
}

function Acceptance({ version }: { version: number }) {
  const { from } = Route.useSearch();
  const client = useQueryClient();
  const router = useRouter();
  const isStillHere = useStillHere();
  const accepting = useMutation({
    mutationFn: (accepted: boolean) => acceptEula(accepted, version),
    // Accepting removes this form, so the mutation itself navigates.
    onSuccess: async () => {
      await client.fetchQuery({ ...accountQuery, staleTime: 0 });
      if (isStillHere()) router.history.replace(from ?? HOME);
    },
    // Another version may hold by now.
    onError: () => client.invalidateQueries({ queryKey: LICENCE_KEY }),
  });
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    accepting.mutate(new FormData(event.currentTarget).has('accepted'));
  };
  return (
    <form ref={form} className={styles.accept} onSubmit={submit}>
      <Refusal error={accepting.error} form={form}>
        <CheckField label={t('I have read the licence and accept it.')} name="accepted" />
      </Refusal>
      <Button type="submit" look="primary" busy={accepting.isPending || accepting.isSuccess}>
        {t('Accept')}
      </Button>
    </form>
  );
}
