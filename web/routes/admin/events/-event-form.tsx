import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { DAY_MS, HOUR_MS } from '../../../../domain/days.ts';
import type { Bracket } from '../../../../domain/difference/brackets.ts';
import { goalsText } from '../../../../domain/difference/lines.ts';
import { type Goal, PRESETS } from '../../../../domain/difference/scoring.ts';
import { EVENT_BOUNDS, EVENT_DEFAULTS } from '../../../../domain/events/bounds.ts';
import type { EventPayload } from '../../../../domain/events/contract.ts';
import { planFlaw } from '../../../../domain/events/flaws.ts';
import { GAME_IDS, GAMES, type GameId } from '../../../../domain/games/games.ts';
import { say, t, words } from '../../../../domain/language/text.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { BeforeTheFirstScan } from '../../../components/events/before-the-first-scan.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { GoalRows } from '../../../components/rows/goal-rows.tsx';
import { type KnownGovernors, NO_GOVERNORS } from '../../../components/rows/known-governors.ts';
import { ZeroedRows } from '../../../components/rows/zeroed-rows.tsx';
import { INVALID_TIME, parseTime, timeText } from '../../../form-times.ts';
import { capital } from '../../../format.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { CheckField, SelectField, TextField } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import {
  CampRows,
  ExemptRows,
  type Moment,
  MomentRows,
  momentFlaw,
  WeightRows,
  type WrittenWeights,
  weightFlaw,
} from './-event-rows.tsx';

const FORTNIGHT = 14 * DAY_MS;

/** Defaults of a new event. */
function blank(now: number): EventPayload {
  const start = Math.ceil(now / HOUR_MS) * HOUR_MS;
  return {
    ...EVENT_DEFAULTS,
    game: 'rok',
    kvk_id: '',
    name: '',
    camps: [],
    refresh_rate: 60,
    start,
    end: start + FORTNIGHT,
    weights: { ...PRESETS.rok[0]?.weights },
  };
}

/** Everything of a plan that rows edit. */
interface Rows extends Pick<EventPayload, 'camps' | 'zeroed' | 'exempt' | 'exempt_reasons'> {
  /** The goals when they were last finished, and whether a row of them is not. */
  goals: EventPayload['goals'];
  isGoalOpen: boolean;
  moments: readonly Moment[];
  weights: WrittenWeights;
}

const rowsOf = (plan: EventPayload): Rows => ({
  camps: plan.camps,
  zeroed: plan.zeroed,
  exempt: plan.exempt,
  exempt_reasons: plan.exempt_reasons ?? {},
  goals: plan.goals,
  isGoalOpen: false,
  moments: Object.entries(plan.dates)
    .sort(([, one], [, other]) => one - other)
    .map(([label, ts], key) => ({ key, label, at: timeText(ts) })),
  weights: Object.fromEntries(Object.entries(plan.weights).map(([key, weight]) => [key, String(weight)])),
});

/** Returns the plan of a form and its rows, whose flaws the rows show already; null while there are some. */
function planOf(form: FormData, game: GameId, rows: Rows): EventPayload | null {
  const { camps, goals, moments, weights, zeroed, exempt, exempt_reasons } = rows;
  const [start, end] = [parseTime(textOf(form, 'start')), parseTime(textOf(form, 'end'))];
  const isFlawed =
    rows.isGoalOpen ||
    moments.some((moment) => momentFlaw(moment, moments)) ||
    Object.values(weights).some((text) => weightFlaw(text));
  if (start === null || end === null || isFlawed) return null;
  return {
    game,
    kvk_id: textOf(form, 'kvk_id'),
    name: textOf(form, 'name'),
    season: textOf(form, 'season'),
    start,
    end,
    refresh_rate: Number(textOf(form, 'refresh_rate')),
    publication_delay: Number(textOf(form, 'publication_delay')),
    depth: Number(textOf(form, 'depth')),
    gather: form.get('gather') === 'on',
    sponsored_text: textOf(form, 'sponsored_text'),
    power_off: Number(textOf(form, 'power_off')),
    camps,
    dates: Object.fromEntries(moments.map(({ label, at }) => [label.trim(), parseTime(at) ?? 0])),
    weights: Object.fromEntries(Object.entries(weights).map(([key, text]) => [key, Number(text)])),
    goals,
    zeroed,
    exempt,
    exempt_reasons,
  };
}

/** Form to create or change an event. */
export function EventForm({
  event,
  isNew = false,
  known = NO_GOVERNORS,
  count = null,
  title,
  action,
  sending,
  send,
  done,
}: {
  /** The plan to begin with; if omitted, an empty one. */
  event?: EventPayload;
  /** Whether the event is yet to be made, so that its game can be chosen. */
  isNew?: boolean;
  /** The event's governors, as far as they were scanned. */
  known?: KnownGovernors;
  /** Counts who passes each goal in the latest scan; null before. */
  count?: ((goals: readonly Goal[]) => Bracket[]) | null;
  title: string;
  action: string;
  sending: Pick<UseMutationResult, 'isPending' | 'isSuccess' | 'error'>;
  send: (plan: EventPayload) => void;
  done?: ReactNode;
}) {
  const [first] = useState(() => event ?? blank(Date.now()));
  const [game, setGame] = useState(first.game);
  const [rows, setRows] = useState(() => rowsOf(first));
  const [times, setTimes] = useState({ start: timeText(first.start), end: timeText(first.end) });
  const [preview, setPreview] = useState<EventPayload | null>(null);
  const [unfinished, setUnfinished] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  const set = (part: Partial<Rows>) => {
    setUnfinished(false);
    setRows((before) => ({ ...before, ...part }));
  };
  const withPlan = (data: FormData, use: (plan: EventPayload) => void) => {
    const plan = planOf(data, game, rows);
    setUnfinished(plan === null);
    if (plan) use(plan);
  };
  const [start, end] = [parseTime(times.start), parseTime(times.end)];
  const flaw = planFlaw({ game, camps: rows.camps, start: start ?? 0, end: end ?? 1 });
  const isEarly = start !== null && end !== null && end <= start;
  const empty = rows.camps.find(({ kingdoms }) => kingdoms.length === 0);
  const campsFlaw =
    flaw?.path[0] === 'camps'
      ? capital(say(flaw.sentence))
      : empty
        ? t('{camp} has no {game, select, cod {server} other {kingdom}} yet.', { camp: words(empty.name), game })
        : null;
  const error = (ts: number | null) => (ts === null ? capital(words(INVALID_TIME)) : null);
  return (
    <FormCard title={title} action={action} sending={sending} done={done} onSubmit={(data) => withPlan(data, send)}>
      <SelectField
        label={t('Game')}
        name="game"
        options={GAME_IDS}
        shown={(id) => GAMES[id].name}
        value={game}
        disabled={event !== undefined && !isNew}
        onChange={({ target }) => {
          const next = target.value as GameId;
          setGame(next);
          set({ camps: [], weights: rowsOf({ ...first, weights: { ...PRESETS[next][0]?.weights } }).weights });
        }}
      />
      <TextField label={t('Name')} name="name" defaultValue={first.name} required maxLength={EVENT_BOUNDS.name} />
      <TextField
        label={t('KvK id')}
        name="kvk_id"
        defaultValue={first.kvk_id}
        required
        maxLength={EVENT_BOUNDS.kvk_id}
        help={t('As in the game. Used in file names.')}
      />
      <TextField label={t('Season')} name="season" defaultValue={first.season} maxLength={EVENT_BOUNDS.season} />
      <TextField
        label={t('Start')}
        name="start"
        type="datetime-local"
        value={times.start}
        onChange={({ target }) => setTimes({ ...times, start: target.value })}
        required
        help={t('In UTC.')}
        error={error(start)}
      />
      <TextField
        label={t('End')}
        name="end"
        type="datetime-local"
        value={times.end}
        onChange={({ target }) => setTimes({ ...times, end: target.value })}
        required
        help={t('In UTC.')}
        error={isEarly ? t('The end must be after the start.') : error(end)}
      />
      <CampRows game={game} camps={rows.camps} error={campsFlaw} change={(camps) => set({ camps })} />
      <MomentRows moments={rows.moments} change={(moments) => set({ moments })} />
      <WeightRows game={game} weights={rows.weights} error={null} change={(weights) => set({ weights })} />
      <TextField
        label={t('Points deducted per power')}
        name="power_off"
        type="number"
        step="any"
        min={0}
        defaultValue={first.power_off}
      />
      <GoalRows
        goals={rows.goals}
        count={count}
        change={(goals) => set(goals ? { goals, isGoalOpen: false } : { isGoalOpen: true })}
      />
      <ZeroedRows game={game} known={known} zeroed={rows.zeroed} change={(zeroed) => set({ zeroed })} />
      <ExemptRows
        game={game}
        known={known}
        exempt={rows.exempt}
        reasons={rows.exempt_reasons}
        change={(exempt, exempt_reasons) => set({ exempt, exempt_reasons })}
      />
      <CheckField
        label={t('Scan automatically')}
        name="gather"
        defaultChecked={first.gather}
        help={t('If off, scans come only from files.')}
      />
      <TextField
        label={t('Minutes between scans')}
        name="refresh_rate"
        type="number"
        {...EVENT_BOUNDS.refresh_rate}
        defaultValue={first.refresh_rate}
        required
      />
      <TextField
        label={t('Scan depth')}
        name="depth"
        type="number"
        {...EVENT_BOUNDS.depth}
        step={100}
        defaultValue={first.depth}
        required
        help={t('Number of players scanned per {game, select, cod {server} other {kingdom}}.', { game })}
      />
      <TextField
        label={t('Publication delay')}
        name="publication_delay"
        type="number"
        {...EVENT_BOUNDS.publication_delay}
        defaultValue={first.publication_delay}
        required
        help={t('In hours. 0 publishes scans at once.')}
      />
      <TextField
        label={t('Sponsored text')}
        name="sponsored_text"
        defaultValue={first.sponsored_text}
        maxLength={EVENT_BOUNDS.sponsored_text}
      />
      <div ref={form}>
        {unfinished && (
          <Notice tone="danger">{t('A row or a time above is not finished: mend what is marked in red.')}</Notice>
        )}
        <Button
          onClick={() => {
            const around = form.current?.closest('form');
            if (around) withPlan(new FormData(around), setPreview);
          }}
        >
          {t('Show preview')}
        </Button>
      </div>
      {preview && <Preview plan={preview} close={() => setPreview(null)} />}
    </FormCard>
  );
}

/** The event as visitors see it before its first scan. */
function Preview({ plan, close }: { plan: EventPayload; close: () => void }) {
  const [now] = useState(() => Date.now());
  const meta = {
    game: plan.game,
    state: plan.start > now ? ('upcoming' as const) : ('running' as const),
    start: plan.start,
    dates: plan.dates,
    camps: plan.camps.map(({ name }) => name),
    camps_to_kingdoms: Object.fromEntries(plan.camps.map(({ name, kingdoms }) => [name, kingdoms])),
  };
  return (
    <Dialog title={plan.name || t('Without a name')} close={close}>
      <BeforeTheFirstScan meta={meta} />
      {plan.goals.length > 0 && (
        <ul aria-label={t('Goals')}>
          {goalsText(plan.goals)
            .split('\n')
            .map((line) => (
              <li key={line}>{line}</li>
            ))}
        </ul>
      )}
    </Dialog>
  );
}
