import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { GAME_IDS } from '../../domain/games/game-names.ts';
import { COLUMNS, codeWords, HOME_TITLE, WELCOME, WELCOME_LINE } from '../../domain/service/welcome.ts';
import { accountQuery } from '../api/account.ts';
import { eventListQuery } from '../api/events.ts';
import { productsQuery } from '../api/products.ts';
import { LazyEventList } from '../components/events/lazy-event-list.tsx';
import { SearchButton } from '../components/search-box.tsx';
import { HOME } from '../home.ts';
import { useSettings } from '../page-settings.ts';
import { storedUser } from '../session.ts';
import { buttonClass } from '../ui/button.tsx';
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
  const code = codeWords(chat, support);
  const products = useQuery(productsQuery);
  return (
    <div className={styles.home}>
      <title>{HOME_TITLE}</title>
      <section className={styles.hero}>
        <KingdomMap />
        <div className={styles.opening}>
          <div className={styles.welcome}>
            <h1>{WELCOME}</h1>
            <p>{WELCOME_LINE}</p>
            <SearchButton line="Find a kingdom, alliance or player" />
            <p className={styles.enter}>
              <Link to="/register" className={buttonClass('primary')}>
                Create account
              </Link>
              <Link to="/login" className={buttonClass()}>
                Login
              </Link>
              <a href="#pricing">Pricing</a>
            </p>
            <p className={styles.code}>
              {code.before}
              <a href={code.href}>{code.text}</a>.
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
        <h2 id="events-title">Events</h2>
        <LazyEventList most={SHOWN_EVENTS} />
        <p>
          <Link to="/maps">All events</Link>
        </p>
      </section>
      <section className={styles.section} aria-labelledby="results-title">
        <h2 id="results-title">What a scan brings</h2>
        <ResultsPicture />
      </section>
      <section className={styles.columns} aria-label="What Muster is">
        <Column title="Technology" picture={<TechnologyTile />} />
        <Column title="Features" picture={<FeaturesTile />} />
        <Column title="Scale" picture={<ScaleTile />} />
      </section>
      <section className={styles.section} id="pricing" aria-labelledby="pricing-title">
        <h2 id="pricing-title">Pricing</h2>
        <PricingTable products={products} />
      </section>
      <section className={styles.section} aria-labelledby="more">
        <h2 id="more">Learn more</h2>
        <p>
          Read the{' '}
          <Link to="/faq" hash="start">
            frequently asked questions
          </Link>
          , meet us and other leaders in the <a href={chat}>community chat</a>, or write to{' '}
          <a href={`mailto:${support}`}>{support}</a>.
        </p>
      </section>
    </div>
  );
}

const Column = ({ title, picture }: { title: keyof typeof COLUMNS; picture: ReactNode }) => (
  <article className={styles.column} aria-label={title}>
    <div className={styles.picture}>{picture}</div>
    <h2>{title}</h2>
    <p>{COLUMNS[title]}</p>
  </article>
);
