import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GAME_IDS } from '../../domain/games/game-names.ts';
import { message, t } from '../../domain/language/text.ts';
import { COLUMNS, HOME_TITLE, WELCOME, WELCOME_LINE } from '../../domain/service/welcome.ts';
import { accountQuery } from '../api/account.ts';
import { eventListQuery } from '../api/events.ts';
import { productsQuery } from '../api/products.ts';
import { LazyEventList } from '../components/events/lazy-event-list.tsx';
import { SearchButton } from '../components/search-box.tsx';
import { HOME } from '../home.ts';
import { useSettings } from '../page-settings.ts';
import { storedUser } from '../session.ts';
import { buttonClass } from '../ui/button.tsx';
import { T } from '../ui/text.tsx';
import { KingdomMap } from './-home/kingdom-map.tsx';
import { PricingTable } from './-home/pricing-table.tsx';
import { ResultsPicture } from './-home/results-picture.tsx';
import { FeaturesTile, ScaleTile, TechnologyTile } from './-home/tiles.tsx';
import { TopFive, topQuery } from './-home/top-five.tsx';
import styles from './index.module.css';

const SHOWN_EVENTS = 5;

export const Route = createFileRoute('/')({
  beforeLoad: async ({ context }) => {
    if (storedUser() === null) return;
    // If the account cannot be loaded, show the public home page.
    const account = await context.client.ensureQueryData(accountQuery).catch(() => null);
    if (account) throw redirect({ to: HOME, replace: true });
  },
  loader: ({ context }) => {
    void context.client.prefetchQuery(productsQuery);
    void context.client.prefetchQuery(eventListQuery);
    for (const game of GAME_IDS) void context.client.prefetchQuery(topQuery(game));
  },
  component: Home,
});

function Home() {
  const { chat, support } = useSettings();
  const products = useQuery(productsQuery);
  return (
    <div className={styles.home}>
      <title>{t(HOME_TITLE)}</title>
      <section className={styles.hero}>
        <KingdomMap />
        <div className={styles.opening}>
          <div className={styles.welcome}>
            <h1>{t(WELCOME)}</h1>
            <p>{t(WELCOME_LINE)}</p>
            <SearchButton line={t('Find a kingdom, alliance or player')} />
            <p className={styles.enter}>
              <Link to="/register" className={buttonClass('primary')}>
                {t('Create account')}
              </Link>
              <Link to="/login" className={buttonClass()}>
                {t('Login')}
              </Link>
              <a href="#pricing">{t('Pricing')}</a>
            </p>
            <p className={styles.code}>
              {chat ? (
                <T
                  of="You need an access code to create an account. Ask for one in the <chat>community chat</chat>."
                  chat={(text) => <a href={chat}>{text}</a>}
                />
              ) : (
                <T
                  of="You need an access code to create an account. Ask for one at {address}."
                  address={<a href={`mailto:${support}`}>{support}</a>}
                />
              )}
            </p>
          </div>
          <div className={styles.boards}>
            {GAME_IDS.map((game) => (
              <TopFive key={game} game={game} />
            ))}
          </div>
        </div>
      </section>
      <section className={styles.section} aria-labelledby="events-title">
        <h2 id="events-title">{t('Events')}</h2>
        <LazyEventList most={SHOWN_EVENTS} />
        <p>
          <Link to="/maps">{t('All events')}</Link>
        </p>
      </section>
      <section className={styles.section} aria-labelledby="results-title">
        <h2 id="results-title">{t('What a scan brings')}</h2>
        <ResultsPicture />
      </section>
      <section className={styles.columns} aria-label={t('What Muster is')}>
        <Column title={message('Technology')} text={COLUMNS.technology} picture={<TechnologyTile />} />
        <Column title={message('Features')} text={COLUMNS.features} picture={<FeaturesTile />} />
        <Column title={message('Scale')} text={COLUMNS.scale} picture={<ScaleTile />} />
      </section>
      <section className={styles.section} id="pricing" aria-labelledby="pricing-title">
        <h2 id="pricing-title">{t('Pricing')}</h2>
        <PricingTable products={products} />
      </section>
      <section className={styles.section} aria-labelledby="more">
        <h2 id="more">{t('Learn more')}</h2>
        <p>
          <T
            of="Read the <faq>frequently asked questions</faq>, meet us and other leaders in the <chat>community chat</chat>, or write to {address}."
            faq={(text) => (
              <Link to="/faq" hash="start">
                {text}
              </Link>
            )}
            chat={(text) => <a href={chat}>{text}</a>}
            address={<a href={`mailto:${support}`}>{support}</a>}
          />
        </p>
      </section>
    </div>
  );
}

const Column = ({ title, text, picture }: { title: string; text: string; picture: ReactNode }) => (
  <article className={styles.column} aria-label={t(title)}>
    <div className={styles.picture}>{picture}</div>
    <h2>{t(title)}</h2>
    <p>{t(text)}</p>
  </article>
);
