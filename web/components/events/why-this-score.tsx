import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { DOUBT_TEXT } from '../../../domain/difference/doubts.ts';
import { targetsOf } from '../../../domain/difference/goals.ts';
import { GAME_NAMES, type GameId } from '../../../domain/games/game-names.ts';
import { listed, t, words } from '../../../domain/language/text.ts';
import { messageOf } from '../../api/client.ts';
import { type EventGovernor, type EventMeta, eventGovernorQuery } from '../../api/events.ts';
import { useOwn } from '../../api/own-governors.ts';
import { exact } from '../../format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { T } from '../../ui/text.tsx';
import { Time } from '../../ui/time.tsx';
import { figureTitles } from '../difference/figure-titles.ts';
import { Gain, percent } from '../difference/gain.tsx';
import { countedWeights, TermSum, termsOf } from '../difference/term-sum.tsx';
import { useLinkTarget } from '../embedded.ts';
import { Failure } from '../failure.tsx';
import { gameSearch } from '../game-search.ts';
import { useSignedIn } from '../signed-in.tsx';
import { ShareButton } from './share-button.tsx';
import styles from './why-this-score.module.css';

type Step = EventGovernor['steps'][number];
type Weights = Readonly<Record<string, number>>;

/** Explains a score: weight times gain per figure, scan by scan, with unverified figures and why. */
export function WhyThisScore({
  id,
  meta,
  range,
  governor,
  weights,
}: {
  id: string;
  meta: EventMeta;
  range: { start: number; end: number };
  governor: number;
  weights: Weights;
}) {
  const answer = useQuery(eventGovernorQuery(id, range, governor));
  const target = useLinkTarget();
  const { data, error } = answer;
  if (error)
    return (
      <div className={styles.why}>
        <Failure error={error} retry={() => void answer.refetch()} busy={answer.isFetching} />
      </div>
    );
  if (!data)
    return (
      <div className={styles.why}>
        <Loading what={t('the reasons')} />
        <Skeleton height="6rem" />
      </div>
    );
  const titles = figureTitles(meta.game);
  const { whole } = data;
  const governed = {
    gain: (key: string) => whole?.gains[key] ?? null,
    doubt: (key: string) => whole?.doubts[key] ?? null,
    power: data.readings[0]?.figures[GAME_NAMES[meta.game].roles.power] ?? null,
    deadsOff: data.deads_off,
  };
  return (
    <div className={styles.why}>
      {whole ? (
        <TermSum terms={termsOf(meta.game, { weights, power_off: meta.power_off }, governed)} />
      ) : (
        <p>{t('Not in both scans, so no gain can be computed.')}</p>
      )}
      <Notes data={data} titles={titles} />
      {data.steps.length > 1 && <Steps data={data} game={meta.game} weights={weights} />}
      <p className={styles.ways}>
        <ThisIsMe game={meta.game} governor={governor} />
        <ShareButton meta={meta} what={{ kind: 'governor', governor: data }} />
        <Link to="/players/$id" params={{ id: String(governor) }} search={gameSearch(meta.game)} {...target}>
          <T of="Everything known about this {value}" value={words(GAME_NAMES[meta.game].governor.one)} />
        </Link>
      </p>
    </div>
  );
}

type Titles = Readonly<Record<string, string>>;

function Notes({ data, titles }: { data: EventGovernor; titles: Titles }) {
  const doubts = Object.entries(data.whole?.doubts ?? {});
  const stands = data.readings.filter(({ stands_in }) => stands_in);
  return (
    <ul className={styles.notes}>
      {doubts.map(([key, doubt]) => (
        <li key={key}>
          <T
            of="<b>{label}:</b> {text}"
            b={(label) => <b>{label}</b>}
            label={words(titles[key] ?? key)}
            text={words(DOUBT_TEXT[doubt])}
          />
        </li>
      ))}
      {data.at_least && (
        <li>
          <T
            of="The consistent scans prove at least {b} DKP by the event’s weights, between {time} and {time2}."
            b={<b>{exact(data.at_least.dkp)}</b>}
            time={<Time at={data.at_least.since} />}
            time2={<Time at={data.at_least.until} />}
          />
        </li>
      )}
      {data.goal && (
        <li>
          <T
            of="Goal from {min_power} power: {goal}."
            min_power={exact(data.goal.min_power)}
            goal={goalText(data.goal)}
          />
        </li>
      )}
      {data.exempt && <li>{t('Exempt: has no goals and does not count in the percentages.')}</li>}
      {data.deads_off > 0 && (
        <li>
          <T of="Zeroed: {deads_off}% of the deads do not count." deads_off={data.deads_off} />
        </li>
      )}
      {stands.map(({ ts, captured_at }) => (
        <li key={ts}>
          <T
            of="In the scan of {time}, the kingdom’s earlier scan of {time2} is used instead."
            time={<Time at={ts} />}
            time2={<Time at={captured_at} />}
          />
        </li>
      ))}
    </ul>
  );
}

/** Lists each target with the percent reached. */
const goalText = (goal: NonNullable<EventGovernor['goal']>): string =>
  listed(
    targetsOf([goal]).map((target) =>
      t(
        '{target, select, kills {{percent} of {amount} Kills} deads {{percent} of {amount} Deads} other {{percent} of {amount} DKP}}',
        { target, percent: percent(goal.reached[target]), amount: exact(goal[target] ?? 0) },
      ),
    ),
  );

/** Shows each scan's gains and points, by any weights. */
export function Steps({
  data: { steps, deads_off },
  game,
  weights,
}: {
  data: Pick<EventGovernor, 'steps' | 'deads_off'>;
  game: GameId;
  weights: Weights;
}) {
  const counted = countedWeights(game, weights, deads_off);
  const titles = figureTitles(game);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={styles.steps} aria-label={t('Scan by scan')} tabIndex={0}>
      <table>
        <caption>{t('Scan by scan')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Until')}</th>
            {counted.map(([key]) => (
              <th key={key} scope="col">
                {words(titles[key] ?? key)}
              </th>
            ))}
            <th scope="col">{t('Points')}</th>
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.to}>
              <th scope="row">
                <Time at={step.to} />
              </th>
              {counted.map(([key]) => (
                <td key={key}>
                  <Gain
                    value={step.gains[key] ?? null}
                    raw={step.gains[key] ?? null}
                    doubt={step.doubts[key] ?? null}
                  />
                </td>
              ))}
              <td>
                <Gain value={pointsOf(step, counted)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Points of a step. Null if a weighted gain is unknown or unverified. */
const pointsOf = ({ gains, doubts }: Step, counted: ReturnType<typeof countedWeights>): number | null =>
  counted.reduce<number | null>((sum, [key, weight]) => {
    const gain = gains[key] ?? null;
    return sum === null || gain === null || doubts[key] !== undefined ? null : sum + weight * gain;
  }, 0);

/** Marks or unmarks a governor as the user's own, which pins the row to the top. */
function ThisIsMe({ game, governor }: { game: GameId; governor: number }) {
  const { own, saving, isOwn, toggle } = useOwn(useSignedIn());
  if (!own.data) return null;
  return (
    <>
      <Button busy={saving.isPending} onClick={() => toggle(game, governor)}>
        {isOwn(game, governor) ? t('This is not me') : t('This is me')}
      </Button>
      {saving.isError && <Notice tone="danger">{messageOf(saving.error)}</Notice>}
    </>
  );
}
