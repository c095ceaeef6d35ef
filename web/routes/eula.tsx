import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, useRouter } from '@tanstack/react-router';
import { type FormEvent, useRef } from 'react';
import { locale } from '../../domain/language/current.ts';
import { LANGUAGES, SOURCE_LOCALE } from '../../domain/language/locales.ts';
import { t } from '../../domain/language/text.ts';
import { accountQuery } from '../api/account.ts';
import { eulaQuery } from '../api/licenses.ts';
import { acceptEula } from '../api/security.ts';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Paragraphs } from '../components/paragraphs.tsx';
import { Refusal } from '../components/refusal.tsx';
import { useAccount } from '../components/signed-in.tsx';
import { useStillHere } from '../components/use-onward.ts';
import { HOME } from '../home.ts';
import { fromOf } from '../own-path.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { T } from '../ui/text.tsx';
import styles from './eula.module.css';

export const Route = createFileRoute('/eula')({
  validateSearch: (search: Record<string, unknown>): { from?: string } => ({ from: fromOf(search) }),
  loader: ({ context }) => {
    void context.client.prefetchQuery(eulaQuery);
  },
  component: Eula,
});

function Eula() {
  const eula = useQuery(eulaQuery);
  const { account } = useAccount();
  return (
    <Page title={t('Licence')} about={t('The terms of use. You must accept them before you can order.')}>
      {locale() !== SOURCE_LOCALE && <p>{t('The licence is written in English, and its English text is binding.')}</p>}
      <Loaded query={eula} what={t('the licence')} heights={['24rem']}>
        {(licence) => <LicenceText text={licence.eula} />}
      </Loaded>
      {account?.eula_accepted && <Notice>{t('You have accepted this licence.')}</Notice>}
      {account && !account.eula_accepted && <Acceptance />}
      {!account && (
        <p>
          <T
            of="<link>Login</link> to accept it, or <link2>create an account</link2>."
            link={(text) => <Link to="/login">{text}</Link>}
            link2={(text) => <Link to="/register">{text}</Link>}
          />
        </p>
      )}
    </Page>
  );
}

const LicenceText = ({ text }: { text: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
  <section className={styles.text} aria-label={t('Licence text')} tabIndex={0}>
    <div className="contents" lang={SOURCE_LOCALE} dir={LANGUAGES[SOURCE_LOCALE].dir}>
      <Paragraphs text={text} />
    </div>
  </section>
);

function Acceptance() {
  const { from } = Route.useSearch();
  const client = useQueryClient();
  const router = useRouter();
  const isStillHere = useStillHere();
  const accepting = useMutation({
    mutationFn: acceptEula,
    // Accepting removes this form, so the mutation itself navigates.
    onSuccess: async () => {
      await client.fetchQuery({ ...accountQuery, staleTime: 0 });
      if (isStillHere()) router.history.replace(from ?? HOME);
    },
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
