import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Bracket } from '../../../domain/difference/brackets.ts';
import type { Goal } from '../../../domain/difference/scoring.ts';
import type { GameId } from '../../../domain/games/game-names.ts';
import { t } from '../../../domain/language/text.ts';
import { messageOf } from '../../api/client.ts';
import { goalsQuery, saveGoals } from '../../api/rosters.ts';
import { Button } from '../../ui/button.tsx';
import { Disclosed } from '../../ui/disclosed.tsx';
import { TextField } from '../../ui/field.tsx';
import layout from '../../ui/layout.module.css';
import { Notice } from '../../ui/notice.tsx';
import { Loaded } from '../loaded.tsx';
import { GoalRows } from './goal-rows.tsx';

interface Of {
  game: GameId;
  kingdom: string;
  /** The event's own goals. */
  event: readonly Goal[];
  /** Counts who passes in it. */
  count: (goals: readonly Goal[]) => Bracket[];
}

/** Edits the user's own goals for a kingdom. Their view of its wars uses them in place of the event's. */
export function KingdomGoals(of: Of) {
  const [open, setOpen] = useState(false);
  const stored = useQuery({ ...goalsQuery(of.game, of.kingdom), refetchOnWindowFocus: false });
  return (
    <Disclosed title={t('Your goals of {kingdom}', { kingdom: of.kingdom })} open={open} change={setOpen}>
      <Loaded query={stored} what={t('the goals')} heights={['10rem']}>
        {({ goals, farms }) => <Editor key={`${of.game} ${of.kingdom}`} {...of} stored={{ goals, farms }} />}
      </Loaded>
    </Disclosed>
  );
}

function Editor({
  game,
  kingdom,
  event,
  count,
  stored,
}: Of & { stored: { goals: readonly Goal[]; farms: number | null } }) {
  const client = useQueryClient();
  const [goals, setGoals] = useState(stored.goals);
  const [isUnfinished, setUnfinished] = useState(false);
  const [farms, setFarms] = useState(stored.farms === null ? '' : String(stored.farms));
  const share = farms.trim() === '' ? null : Number(farms);
  const isShare = share === null || (share >= 0 && share <= 100);
  const saving = useMutation({
    mutationFn: () => saveGoals(game, kingdom, { goals: [...goals], farms: share }),
    onSuccess: (saved) => client.setQueryData(goalsQuery(game, kingdom).queryKey, saved),
  });
  return (
    <div className={layout.stack}>
      <p className={layout.quiet}>
        {t('Each war of {kingdom} begins with them in your view. Without brackets, the event’s goals count.', {
          kingdom,
        })}
      </p>
      <GoalRows
        goals={goals}
        count={count}
        change={(next) => {
          setUnfinished(next === null);
          if (next) setGoals(next);
        }}
      />
      {goals.length === 0 && event.length > 0 && !isUnfinished && (
        <p>
          <Button onClick={() => setGoals(event)}>{t('Start from the event’s goals')}</Button>
        </p>
      )}
      <TextField
        label={t('Percent of a farm’s score that counts for its main')}
        inputMode="decimal"
        autoComplete="off"
        value={farms}
        help={t('Leave empty to count all of it.')}
        error={isShare ? null : t('Write a percent from 0 to 100.')}
        onChange={({ target }) => setFarms(target.value)}
      />
      {saving.error && <Notice tone="danger">{messageOf(saving.error)}</Notice>}
      {saving.isSuccess && <Notice>{t('Saved.')}</Notice>}
      <p>
        <Button
          look="primary"
          busy={saving.isPending}
          disabled={isUnfinished || !isShare}
          onClick={() => saving.mutate()}
        >
          {t('Save the goals')}
        </Button>
      </p>
    </div>
  );
}
