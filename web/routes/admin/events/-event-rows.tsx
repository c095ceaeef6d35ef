import { X } from 'lucide';
import { EVENT_BOUNDS } from '../../../../domain/events/bounds.ts';
import type { EventPayload } from '../../../../domain/events/contract.ts';
import { GAMES, type GameId } from '../../../../domain/games/games.ts';
import { t, words } from '../../../../domain/language/text.ts';
import { figureTitles } from '../../../components/difference/figure-titles.ts';
import { Governor, GovernorFind } from '../../../components/rows/governor-find.tsx';
import type { KnownGovernors } from '../../../components/rows/known-governors.ts';
import { RowSet } from '../../../components/rows/row-set.tsx';
import styles from '../../../components/rows/rows.module.css';
import { parseTime } from '../../../form-times.ts';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import layout from '../../../ui/layout.module.css';
import { KingdomAdd } from './-kingdom-add.tsx';

type Camps = EventPayload['camps'];

/** Camps with their kingdoms, which are added one by one or as a pasted list. */
export function CampRows({
  game,
  camps,
  error,
  change,
}: {
  game: GameId;
  camps: Camps;
  error: string | null;
  change: (camps: Camps) => void;
}) {
  const { camps: known } = GAMES[game];
  const free = known.map(({ name }) => name).filter((name) => !camps.some((camp) => camp.name === name));
  const set = (at: number, kingdoms: string[]) =>
    change(camps.map((camp, index) => (index === at ? { ...camp, kingdoms } : camp)));
  const campOf = new Map(camps.flatMap(({ name, kingdoms }) => kingdoms.map((key) => [key, words(name)])));
  return (
    <RowSet
      title={t('Camps')}
      about={t('Each has its {game, select, cod {servers} other {kingdoms}}, or parts of them, as 1206-2.', { game })}
      error={error}
      rows={camps}
      rowId={({ name }) => name}
      row={({ name, kingdoms }, index) => (
        <div className={layout.stack}>
          <div className={styles.row}>
            <strong>{words(name)}</strong>
            <Button
              look="bare"
              aria-label={t('Remove camp {name}', { name: words(name) })}
              onClick={() => change(camps.filter((camp) => camp.name !== name))}
            >
              <Icon of={X} size={16} />
            </Button>
          </div>
          {kingdoms.length > 0 && (
            <ul
              className={layout.wrap}
              aria-label={t('{name}: {game, select, cod {servers} other {kingdoms}}', {
                name: words(name),
                game,
              })}
            >
              {kingdoms.map((key) => (
                <li key={key}>
                  <Button
                    aria-label={t('Remove {key} from {name}', { key, name: words(name) })}
                    onClick={() =>
                      set(
                        index,
                        kingdoms.filter((each) => each !== key),
                      )
                    }
                  >
                    {key} <Icon of={X} size={14} />
                  </Button>
                </li>
              ))}
            </ul>
          )}
          <KingdomAdd
            game={game}
            label={t('Add {game, select, cod {servers} other {kingdoms}} to {name}', { game, name: words(name) })}
            taken={campOf}
            add={(keys) => set(index, [...kingdoms, ...keys])}
          />
        </div>
      )}
    >
      {free.length > 0 && (
        <SelectField
          label={t('Add a camp')}
          options={['', ...free]}
          shown={(name) => (name === '' ? t('Choose a camp') : words(name))}
          value=""
          onChange={({ target }) =>
            free.includes(target.value) && change([...camps, { name: target.value, kingdoms: [] }])
          }
        />
      )}
    </RowSet>
  );
}

/** A labelled moment of the war, as typed. */
export interface Moment {
  key: number;
  label: string;
  at: string;
}

/** Returns what is wrong with a moment; null if nothing is. */
export const momentFlaw = ({ key, label, at }: Moment, all: readonly Moment[]): string | null => {
  if (label.trim() === '') return t('Name the moment.');
  if (all.some((other) => other.key < key && other.label.trim() === label.trim()))
    return t("There is a moment '{name}' already.", { name: label.trim() });
  return parseTime(at) === null ? t('Write a day and a time, in UTC.') : null;
};

/** Moments of the war, such as fights: each a name and a time in UTC. */
export function MomentRows({ moments, change }: { moments: readonly Moment[]; change: (moments: Moment[]) => void }) {
  const set = (key: number, part: Partial<Moment>) =>
    change(moments.map((moment) => (moment.key === key ? { ...moment, ...part } : moment)));
  const next = Math.max(0, ...moments.map(({ key }) => key)) + 1;
  return (
    <RowSet
      title={t('Moments')}
      about={t('Fights and other dates, in UTC. A scan is due at each, and the charts mark it.')}
      rows={moments}
      rowId={({ key }) => key}
      row={(moment, index) => {
        const flaw = momentFlaw(moment, moments);
        return (
          <div className={styles.moment}>
            <input
              className={styles.text}
              aria-label={t('Name of moment {value}', { value: index + 1 })}
              placeholder={t('Pass 4')}
              maxLength={40}
              value={moment.label}
              onChange={({ target }) => set(moment.key, { label: target.value })}
            />
            <input
              className={styles.text}
              type="datetime-local"
              aria-label={t('Time of moment {value}', { value: index + 1 })}
              value={moment.at}
              onChange={({ target }) => set(moment.key, { at: target.value })}
            />
            <Button
              look="bare"
              aria-label={t('Remove moment {value}', { value: index + 1 })}
              onClick={() => change(moments.filter(({ key }) => key !== moment.key))}
            >
              <Icon of={X} size={16} />
            </Button>
            {flaw && (
              <p className={`${styles.passes} ${styles.error}`} role="status">
                {flaw}
              </p>
            )}
          </div>
        );
      }}
    >
      <p>
        <Button onClick={() => change([...moments, { key: next, label: '', at: '' }])}>{t('Add a moment')}</Button>
      </p>
    </RowSet>
  );
}

/** Weights by column key, as typed. */
export type WrittenWeights = Readonly<Record<string, string>>;

/** Returns what is wrong with a weight; null if nothing is. */
export const weightFlaw = (text: string): string | null =>
  text.trim() !== '' && Number.isFinite(Number(text)) && Math.abs(Number(text)) <= 1000
    ? null
    : t('Write a number from -1,000 to 1,000.');

/** Points per figure. Any figure of the game can have some. */
export function WeightRows({
  game,
  weights,
  error,
  change,
}: {
  game: GameId;
  weights: WrittenWeights;
  error: string | null;
  change: (weights: WrittenWeights) => void;
}) {
  const titles: Readonly<Record<string, string>> = {
    ...Object.fromEntries(GAMES[game].columns.map(({ key, title }) => [key, words(title)])),
    ...figureTitles(game),
  };
  const free = GAMES[game].columns.filter(
    ({ key, ident, type }) => !ident && type !== 'text' && weights[key] === undefined,
  );
  return (
    <RowSet
      title={t('Weights')}
      about={t('DKP are the points of these gains together.')}
      error={error}
      rows={Object.entries(weights)}
      rowId={([key]) => key}
      row={([key, weight]) => (
        <div className={styles.moment}>
          <span>{titles[key] ?? key}</span>
          <input
            className={styles.text}
            aria-label={t('Points per {figure}', { figure: titles[key] ?? key })}
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            value={weight}
            aria-invalid={weightFlaw(weight) ? true : undefined}
            onChange={({ target }) => change({ ...weights, [key]: target.value })}
          />
          <Button
            look="bare"
            aria-label={t('No points for {figure}', { figure: titles[key] ?? key })}
            onClick={() => change(Object.fromEntries(Object.entries(weights).filter(([each]) => each !== key)))}
          >
            <Icon of={X} size={16} />
          </Button>
          {weightFlaw(weight) && (
            <p className={`${styles.passes} ${styles.error}`} role="status">
              {weightFlaw(weight)}
            </p>
          )}
        </div>
      )}
    >
      <SelectField
        label={t('Add a figure')}
        options={['', ...free.map(({ key }) => key)]}
        shown={(key) => (key === '' ? t('Choose a figure') : (titles[key] ?? key))}
        value=""
        onChange={({ target }) => target.value && change({ ...weights, [target.value]: '1' })}
      />
    </RowSet>
  );
}

/** Governors without goals, each with the reason. */
export function ExemptRows({
  game,
  known,
  exempt,
  reasons,
  change,
}: {
  game: GameId;
  known: KnownGovernors;
  exempt: readonly number[];
  reasons: Readonly<Record<string, string>>;
  change: (exempt: number[], reasons: Record<string, string>) => void;
}) {
  return (
    <RowSet
      title={t('Exempt')}
      about={t('Governors without goals. Visitors see who is exempt, but not why.')}
      rows={exempt}
      rowId={(id) => id}
      row={(id) => (
        <div className={styles.moment}>
          <Governor id={id} known={known} />
          <input
            className={styles.text}
            aria-label={t('Reason of {id}', { id })}
            placeholder={t('Reason')}
            maxLength={EVENT_BOUNDS.reason}
            value={reasons[id] ?? ''}
            onChange={({ target }) => change([...exempt], { ...reasons, [id]: target.value })}
          />
          <Button
            look="bare"
            aria-label={t('{id} is not exempt', { id })}
            onClick={() =>
              change(
                exempt.filter((each) => each !== id),
                Object.fromEntries(Object.entries(reasons).filter(([key]) => Number(key) !== id)),
              )
            }
          >
            <Icon of={X} size={16} />
          </Button>
        </div>
      )}
    >
      <GovernorFind
        game={game}
        known={known}
        label={t('Add an exempt governor')}
        chosen={(id) => (exempt.includes(id) ? t('is exempt') : null)}
        choose={(id) => change([...exempt, id], { ...reasons })}
      />
    </RowSet>
  );
}
