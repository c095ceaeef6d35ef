import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { rebuildable } from '../../../domain/boards/leaderboard.ts';
import { GAME_IDS, GAMES, type GameId } from '../../../domain/games/games.ts';
import { t } from '../../../domain/language/text.ts';
import { centsOf } from '../../../domain/money/money.ts';
import { figuresQuery, publishBoards, signOutUser, trendsQuery } from '../../api/admin.ts';
import { textOf } from '../../components/entry-page.tsx';
import { FormCard } from '../../components/form-card.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Facts, Panel } from '../../components/panel.tsx';
import { counted, date, exact, money } from '../../format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { Skeletons } from '../../ui/skeleton.tsx';
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

const usd = (dollars: number): string => money(centsOf(dollars) ?? 0);

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
      <BoardsForm />
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

const idOf = (name: string): GameId => GAME_IDS.find((id) => GAMES[id].name === name) ?? 'rok';

function BoardsForm() {
  const publishing = useMutation({
    mutationFn: (form: FormData) => publishBoards(idOf(textOf(form, 'game')), textOf(form, 'day')),
  });
  const { data } = publishing;
  const { from, to } = rebuildable(Date.now());
  return (
    <FormCard
      title={t("Publish a day's boards again")}
      about={t(
        'Builds all five boards of a game and day from the scans known by now. The present boards stay until the new ones are complete.',
      )}
      action={t('Publish again')}
      sending={publishing}
      done={
        data &&
        t('{game}, {day}: {governors} of {kingdoms} ranked.', {
          game: GAMES[data.game].name,
          day: date(data.day),
          governors: counted(data.counts.governors, GAMES[data.game].governor.one),
          kingdoms: counted(data.counts.kingdoms, GAMES[data.game].kingdom.one),
        })
      }
      onSubmit={publishing.mutate}
    >
      <SelectField label={t('Game')} name="game" options={GAME_IDS.map((id) => GAMES[id].name)} />
      <TextField label={t('Day')} name="day" type="date" required min={from} max={to} defaultValue={to} />
    </FormCard>
  );
}
