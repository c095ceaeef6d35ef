import type { UseMutationResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { DAY_MS, HOUR_MS } from '../../../../domain/days.ts';
import { goalsOf, goalsText, LineFlaw, zeroedOf, zeroedText } from '../../../../domain/difference/lines.ts';
import { PRESETS } from '../../../../domain/difference/scoring.ts';
import { EVENT_BOUNDS, EVENT_DEFAULTS } from '../../../../domain/events/bounds.ts';
import type { EventPayload } from '../../../../domain/events/contract.ts';
import { GAME_IDS, GAMES, type GameId } from '../../../../domain/games/games.ts';
import {
  campsOf,
  campsText,
  datesOf,
  datesText,
  idsOf,
  weightsOf,
  weightsText,
} from '../../../components/difference/lines.ts';
import { textOf } from '../../../components/entry-page.tsx';
import { FormCard } from '../../../components/form-card.tsx';
import { INVALID_TIME, parseTime, timeText } from '../../../form-times.ts';
import { capital } from '../../../format.ts';
import { CheckField, SelectField, TextAreaField, TextField } from '../../../ui/field.tsx';

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

const gameNamed = (name: string): GameId => GAME_IDS.find((id) => GAMES[id].name === name) ?? 'rok';

/** Error messages by field. */
type Flaws = Partial<Record<string, string>>;

function payloadOf(form: FormData, game: GameId, flaws: Flaws): EventPayload {
  const list = <Value,>(name: string, read: (text: string) => Value, otherwise: Value): Value => {
    try {
      return read(String(form.get(name) ?? ''));
    } catch (error) {
      if (!(error instanceof LineFlaw)) throw error;
      flaws[name] = error.message;
      return otherwise;
    }
  };
  const moment = (name: string): number => {
    const ts = parseTime(textOf(form, name));
    if (ts === null) flaws[name] = capital(INVALID_TIME);
    return ts ?? 0;
  };
  return {
    game,
    kvk_id: textOf(form, 'kvk_id'),
    name: textOf(form, 'name'),
    season: textOf(form, 'season'),
    start: moment('start'),
    end: moment('end'),
    refresh_rate: Number(textOf(form, 'refresh_rate')),
    publication_delay: Number(textOf(form, 'publication_delay')),
    depth: Number(textOf(form, 'depth')),
    gather: form.get('gather') === 'on',
    sponsored_text: textOf(form, 'sponsored_text'),
    power_off: Number(textOf(form, 'power_off')),
    camps: list('camps', campsOf, []),
    dates: list('dates', datesOf, {}),
    weights: list('weights', weightsOf, {}),
    goals: list('goals', goalsOf, []),
    zeroed: list('zeroed', zeroedOf, {}),
    exempt: list('exempt', idsOf, []),
  };
}

/** Form to create or change an event. */
export function EventForm({
  event,
  title,
  action,
  sending,
  done,
}: {
  /** If omitted, creates an event. */
  event?: EventPayload;
  title: string;
  action: string;
  sending: UseMutationResult<unknown, Error, EventPayload>;
  done?: ReactNode;
}) {
  const [first] = useState(() => event ?? blank(Date.now()));
  const [game, setGame] = useState(first.game);
  const [flaws, setFlaws] = useState<Flaws>({});
  const submit = (form: FormData) => {
    const found: Flaws = {};
    const payload = payloadOf(form, game, found);
    setFlaws(found);
    if (Object.keys(found).length === 0) sending.mutate(payload);
  };
  const { kingdom, camps } = GAMES[game];
  return (
    <FormCard title={title} action={action} sending={sending} done={done} onSubmit={submit}>
      <SelectField
        label="Game"
        name="game"
        options={GAME_IDS.map((id) => GAMES[id].name)}
        value={GAMES[game].name}
        disabled={event !== undefined}
        onChange={({ target }) => setGame(gameNamed(target.value))}
      />
      <TextField label="Name" name="name" defaultValue={first.name} required maxLength={EVENT_BOUNDS.name} />
      <TextField
        label="KvK id"
        name="kvk_id"
        defaultValue={first.kvk_id}
        required
        maxLength={EVENT_BOUNDS.kvk_id}
        help="As in the game. Used in file names."
      />
      <TextField label="Season" name="season" defaultValue={first.season} maxLength={EVENT_BOUNDS.season} />
      <TextField
        label="Start"
        name="start"
        type="datetime-local"
        defaultValue={timeText(first.start)}
        required
        help="In UTC."
        error={flaws.start ?? null}
      />
      <TextField
        label="End"
        name="end"
        type="datetime-local"
        defaultValue={timeText(first.end)}
        required
        help="In UTC."
        error={flaws.end ?? null}
      />
      <TextAreaField
        label="Camps"
        name="camps"
        rows={4}
        defaultValue={campsText(first.camps)}
        placeholder={`Fire: 1001, 1002\nWater: 1003, 1004-2`}
        help={`One per line: the camp, a colon, its ${kingdom.many} (or parts of them, as 1206-2). Camps are ${camps.map(({ name }) => name).join(', ')}.`}
        error={flaws.camps ?? null}
        required
      />
      <TextAreaField
        label="Key dates"
        name="dates"
        rows={3}
        defaultValue={datesText(first.dates)}
        placeholder="Pass 4: 2026-03-01 12:00"
        help="One per line: name, colon, time in UTC."
        error={flaws.dates ?? null}
      />
      <TextAreaField
        label="Weights"
        name="weights"
        rows={3}
        defaultValue={weightsText(first.weights)}
        help="One per line: a figure's key, a colon, its points."
        error={flaws.weights ?? null}
      />
      <TextField
        label="Points deducted per power"
        name="power_off"
        type="number"
        step="any"
        min={0}
        defaultValue={first.power_off}
      />
      <TextAreaField
        label="Goals"
        name="goals"
        rows={3}
        defaultValue={goalsText(first.goals)}
        placeholder="40M: dkp 2M, kills 100K, deads 50K"
        help="One line per bracket of power at the start. dkp, kills and deads are each optional."
        error={flaws.goals ?? null}
      />
      <TextAreaField
        label="Zeroed"
        name="zeroed"
        rows={2}
        defaultValue={zeroedText(first.zeroed)}
        placeholder="20436276: 80"
        help="One per line: an id, a colon, and the percent of its deads that does not count (0, 50, 70, 80, 90 or 100)."
        error={flaws.zeroed ?? null}
      />
      <TextAreaField
        label="Exempt"
        name="exempt"
        rows={2}
        defaultValue={first.exempt.join(', ')}
        help="Ids of governors without goals."
        error={flaws.exempt ?? null}
      />
      <CheckField
        label="Scan automatically"
        name="gather"
        defaultChecked={first.gather}
        help="If off, scans come only from files."
      />
      <TextField
        label="Minutes between scans"
        name="refresh_rate"
        type="number"
        {...EVENT_BOUNDS.refresh_rate}
        defaultValue={first.refresh_rate}
        required
      />
      <TextField
        label="Scan depth"
        name="depth"
        type="number"
        {...EVENT_BOUNDS.depth}
        step={100}
        defaultValue={first.depth}
        required
        help={`Number of players scanned per ${kingdom.one}.`}
      />
      <TextField
        label="Publication delay"
        name="publication_delay"
        type="number"
        {...EVENT_BOUNDS.publication_delay}
        defaultValue={first.publication_delay}
        required
        help="In hours. 0 publishes scans at once."
      />
      <TextField
        label="Sponsored text"
        name="sponsored_text"
        defaultValue={first.sponsored_text}
        maxLength={EVENT_BOUNDS.sponsored_text}
      />
    </FormCard>
  );
}
