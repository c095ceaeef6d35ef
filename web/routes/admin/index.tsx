import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { t } from '../../../domain/language/text.ts';
import { figuresQuery, signOutUser, trendsQuery } from '../../api/admin.ts';
import { textOf } from '../../components/entry-page.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Panel } from '../../components/panel.tsx';
import { counted, exact, usd } from '../../format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { Skeletons } from '../../ui/skeleton.tsx';
import { Act } from './-act.tsx';
import { AlertsPanel } from './-alerts.tsx';
import { NeedsPanel } from './-needs.tsx';

/** Loaded on its own and no part of this folder, so that its charts do not join the code that pages share. */
const TrendsPanels = lazy(async () => ({
  default: (await import('../../components/service-trends.tsx')).TrendsPanels,
}));

export const Route = createFileRoute('/admin/')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(figuresQuery);
    void context.client.prefetchQuery(trendsQuery);
  },
  component: Overview,
});

function Overview() {
  const figures = useQuery(figuresQuery);
  return (
    <>
      <title>{t('Admin · Muster')}</title>
      <p className={layout.wrap}>
        <Link to="/admin/bots" className={buttonClass('primary')}>
          {t('Bots Listing')}
        </Link>
        <Link to="/admin/orders" className={buttonClass()}>
          {t('Order Listing')}
        </Link>
      </p>
      <AlertsPanel />
      <NeedsPanel />
      <Panel title={t('Statistics')} about={t('Now, and over the last 24 hours.')}>
        <Loaded query={figures} what={t('the figures')} heights={['18rem']}>
          {(data) => (
            <Facts
              facts={[
                [t('Users'), exact(data.users)],
                [t('Sum of balances'), usd(data.balances)],
                [t('Orders of the last day'), exact(data.orders_last_day)],
                [t('Net revenue of the last day'), usd(data.charged_last_day)],
                [t('Open subtasks'), exact(data.subtasks_waiting)],
                [t('Bots online'), exact(data.bots_online)],
                [t('Waiting mail'), exact(data.mails.waiting)],
                [t('Failed mail'), exact(data.mails.failed)],
              ]}
            />
          )}
        </Loaded>
      </Panel>
      <Suspense fallback={<Skeletons what={t('the last 30 days')} heights={['20rem', '16rem']} />}>
        <TrendsPanels />
      </Suspense>
      <SignOutForm />
      <SignOutAll />
    </>
  );
}

function SignOutForm() {
  const ending = useMutation({ mutationFn: (form: FormData) => signOutUser(textOf(form, 'username')) });
  return (
    <FormCard
      title={t('Sign a user out')}
      about={t('Ends every session of the account, for example if it was stolen. The user can sign in again.')}
      action={t('End the sessions')}
      look="danger"
      sending={ending}
      done={ending.data && t('{sessions} ended.', { sessions: counted(ending.data.ended, 'session') })}
      onSubmit={ending.mutate}
    >
      <TextField label={t('Username')} name="username" autoComplete="off" required maxLength={100} />
    </FormCard>
  );
}

const SignOutAll = () => (
  <div>
    <Act
      label={t('End all sessions')}
      about={t('Signs everybody out, you too, for example after keys have leaked.')}
      action={t('End the sessions')}
      reason={false}
      act={() => signOutUser(null).then(() => null)}
    />
  </div>
);
