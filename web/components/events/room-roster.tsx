import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo } from 'react';
import { bracketsOf } from '../../../domain/difference/brackets.ts';
import type { Goal } from '../../../domain/difference/scoring.ts';
import { t } from '../../../domain/language/text.ts';
import type { EventMeta, EventRoom } from '../../api/events.ts';
import { goalsQuery, rosterQuery } from '../../api/rosters.ts';
import { counted } from '../../format.ts';
import { Notice } from '../../ui/notice.tsx';
import { T } from '../../ui/text.tsx';
import { KingdomGoals } from '../rows/kingdom-goals.tsx';
import { knownGovernors } from '../rows/known-governors.ts';
import { RosterEditor } from '../rows/roster-editor.tsx';
import { judgedIn, NO_RULES, type OwnRules } from './with-roster.ts';

/** The reader's own roster and goals of the kingdom, which their war room counts by. `apply` gets them. */
export function RoomRoster({
  meta,
  room,
  shown,
  apply,
}: {
  meta: EventMeta;
  /** As everybody sees it. */
  room: EventRoom;
  /** As the reader's own roster and goals have it. */
  shown: EventRoom;
  apply: (rules: OwnRules) => void;
}) {
  const { game } = meta;
  const home = room.kingdom.split('-', 1)[0] ?? room.kingdom;
  const roster = useQuery(rosterQuery(game, home)).data;
  const own = useQuery(goalsQuery(game, home)).data;
  useEffect(() => {
    const { entries = [] } = roster ?? {};
    const { goals = [], farms = null } = own ?? {};
    apply(entries.length > 0 || goals.length > 0 ? { entries, goals, farms } : NO_RULES);
  }, [roster, own, apply]);
  const known = useMemo(() => {
    const { governors } = room;
    return knownGovernors({
      id: governors.map(({ governor_id }) => governor_id),
      name: governors.map(({ name }) => name),
      tags: governors.map(({ tag }) => tag ?? ''),
      tag: governors.map(({ tag }, row) => (tag === null ? -1 : row)),
      kingdoms: [home],
      kingdom: governors.map(() => 0),
    });
  }, [room, home]);
  const judged = useMemo(() => judgedIn(game, shown.governors), [game, shown.governors]);
  const count = useCallback((goals: readonly Goal[]) => bracketsOf(goals, judged), [judged]);
  const listed = new Set(room.governors.map(({ governor_id }) => governor_id));
  const used = roster?.entries.filter(({ governor_id }) => listed.has(governor_id)) ?? [];
  return (
    <>
      {used.length > 0 && (
        <Notice>
          <T
            of="Counted by your roster: {length} for their mains, {length2} exempt, {length3} left. Others see each account by itself."
            length={counted(used.filter(({ role }) => role === 'farm').length, 'farm')}
            length2={used.filter(({ role }) => role === 'exempt').length}
            length3={used.filter(({ role }) => role === 'left').length}
          />
        </Notice>
      )}
      {own && own.goals.length > 0 && <Notice>{t('Goals here are your own. Others see those of the event.')}</Notice>}
      <KingdomGoals game={game} kingdom={home} event={meta.goals} count={count} />
      <RosterEditor game={game} kingdom={home} known={known} />
    </>
  );
}
