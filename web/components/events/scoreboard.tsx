import { Minus, TrendingDown, TrendingUp } from 'lucide';
import { Fragment, useState } from 'react';
import { isOver } from '../../../domain/events/event.ts';
import { message, t, words } from '../../../domain/language/text.ts';
import type { EventBoard, EventMeta } from '../../api/events.ts';
import { Sparkline } from '../../chart/sparkline.tsx';
import { compact, exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Short } from '../../ui/short.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { percent } from '../difference/gain.tsx';
import '../camps.css';
import { RoomLink } from './room-link.tsx';
import styles from './scoreboard.module.css';
import { isDecided, noLeadText } from './standings.ts';

type Camp = EventBoard['camps'][number];

/** Camp standings: the leader, the lead, since when, and how many scores are excluded. */
export function Scoreboard({ meta, board }: { meta: EventMeta; board: EventBoard }) {
  const over = isOver(meta.state);
  const [open, setOpen] = useState(false);
  return (
    <section className={styles.scoreboard} aria-label={t('Scoreboard')} data-open={open || undefined}>
      <p className={styles.lead}>{leadOf(board, isDecided(meta, board))}</p>
      <Shares camps={board.camps} />
      <ol className={styles.camps}>
        {board.camps.map((camp) => (
          <li key={camp.name} className={styles.camp} data-camp={camp.name}>
            <CampStanding meta={meta} camp={camp} over={over} leads={camp.name === board.lead?.camp} />
          </li>
        ))}
      </ol>
      <Button className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? t('Show fewer figures') : t('Show all figures')}
      </Button>
    </section>
  );
}

/** Describes the standings in a sentence. */
function leadOf({ lead, camps, range }: EventBoard, over: boolean) {
  const doubted = camps.reduce((sum, camp) => sum + camp.left_out, 0);
  const sure =
    doubted > 0
      ? t('{doubted, plural, one {# unverified score is excluded.} other {# unverified scores are excluded.}}', {
          doubted,
        })
      : t('No score is unverified.');
  if (!lead && range.start === range.end) return t('The first scan is in. Gains appear with the second one.');
  if (!lead) return `${noLeadText(camps)} ${sure}`;
  return (
    <>
      <T
        of="{how, select, won_now {{camp} won by {lead}, ahead for the first time in the scan of {time}.} won {{camp} won by {lead}, ahead since {time}.} leads_now {{camp} leads by {lead}, ahead for the first time in the scan of {time}.} other {{camp} leads by {lead}, ahead since {time}.}}"
        how={`${over ? 'won' : 'leads'}${lead.since === range.end ? '_now' : ''}`}
        camp={<strong>{words(lead.camp)}</strong>}
        lead={
          <strong title={exact(lead.by)}>
            <T of="{by} DKP" by={compact(lead.by)} />
          </strong>
        }
        time={<Time at={lead.since} />}
      />{' '}
      {sure}
    </>
  );
}

/** A stacked bar with each camp's share of all DKP. */
function Shares({ camps }: { camps: readonly Camp[] }) {
  const shown = camps.filter(({ share }) => share !== null && share > 0);
  if (shown.length === 0) return null;
  return (
    <div className={styles.shares} aria-hidden>
      {shown.map(({ name, share }) => (
        // An SVG, because markup from the Worker may have no style attributes.
        <svg key={name} className={styles.share} data-camp={name} width={`${share}%`} aria-hidden>
          {(share ?? 0) >= 12 && (
            <foreignObject width="100%" height="100%">
              <p className={styles.named}>
                <b>{words(name)}</b>
              </p>
            </foreignObject>
          )}
        </svg>
      ))}
    </div>
  );
}

const TENDENCY = {
  gaining: { icon: TrendingUp, text: message('gaining') },
  falling: { icon: TrendingDown, text: message('falling back') },
  steady: { icon: Minus, text: message('steady') },
} as const;

function CampStanding({ meta, camp, over, leads }: { meta: EventMeta; camp: Camp; over: boolean; leads: boolean }) {
  const trend = camp.trend.flatMap(({ ts, dkp }) => (dkp === null ? [] : [{ ts, dkp }]));
  // An ended event has no tendency.
  const tendency = over || camp.tendency === null ? null : TENDENCY[camp.tendency];
  return (
    <>
      <header className={styles.head}>
        <span className={styles.rank}>{camp.rank ?? '?'}</span>
        <h2>{words(camp.name)}</h2>
        {tendency && (
          <span className={styles.tendency} data-tendency={camp.tendency}>
            <Icon of={tendency.icon} size={14} /> {words(tendency.text)}
          </span>
        )}
      </header>
      <p className={styles.dkp}>
        <Short value={camp.dkp} unknown={t('No score is known of this camp.')} />
        <small>{t('DKP')}</small>
        <Sparkline
          label={t('{name}, DKP over the last {length} scans', { name: words(camp.name), length: trend.length })}
          values={trend.map(({ dkp }) => dkp)}
          at={trend.map(({ ts }) => ts)}
        />
      </p>
      <dl className={styles.facts}>
        <Fact name={t('Share of all')} value={percent(camp.share)} />
        <Fact
          name={t('Behind')}
          value={leads ? t('leads') : camp.behind === null ? '?' : compact(camp.behind)}
          exactly={camp.behind}
        />
        <Fact name={t('Power')} value={camp.power === null ? '?' : compact(camp.power)} exactly={camp.power} />
        <Fact
          name={t('Unverified')}
          value={exact(camp.left_out)}
          about={
            camp.dkp_raw === null
              ? undefined
              : t('Raw total, with unverified scores: {dkp_raw} DKP', { dkp_raw: exact(camp.dkp_raw) })
          }
        />
      </dl>
      <p className={styles.kingdoms}>
        {camp.kingdoms.map((kingdom, index) => (
          <Fragment key={kingdom}>
            {index > 0 && ' · '}
            <RoomLink meta={meta} kingdom={kingdom} />
          </Fragment>
        ))}
      </p>
    </>
  );
}

const Fact = ({
  name,
  value,
  exactly,
  about,
}: {
  name: string;
  value: string;
  exactly?: number | null;
  about?: string | undefined;
}) => (
  <div>
    <dt>{name}</dt>
    <dd
      title={
        about ??
        (typeof exactly === 'number' ? exact(exactly) : value === '?' ? t('Unknown for this camp.') : undefined)
      }
    >
      {value}
    </dd>
  </div>
);
