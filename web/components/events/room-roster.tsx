import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { RosterEntry } from '../../../domain/compare/roster-rules.ts';
import type { EventMeta, EventRoom } from '../../api/events.ts';
import { rosterQuery } from '../../api/rosters.ts';
import { counted } from '../../format.ts';
import { Notice } from '../../ui/notice.tsx';
import { T } from '../../ui/text.tsx';
import { knownGovernors } from '../rows/known-governors.ts';
import { RosterEditor } from '../rows/roster-editor.tsx';

/** The reader's own roster of the kingdom, which their war room counts by. `apply` gets its rows. */
export function RoomRoster({
  meta,
  room,
  apply,
}: {
  meta: EventMeta;
  /** As everybody sees it. */
  room: EventRoom;
  apply: (entries: readonly RosterEntry[]) => void;
}) {
  const home = room.kingdom.split('-', 1)[0] ?? room.kingdom;
  const { data } = useQuery(rosterQuery(meta.game, home));
  useEffect(() => apply(data?.entries ?? []), [data, apply]);
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
  const listed = new Set(room.governors.map(({ governor_id }) => governor_id));
  const used = data?.entries.filter(({ governor_id }) => listed.has(governor_id)) ?? [];
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
      <RosterEditor game={meta.game} kingdom={home} known={known} />
    </>
  );
}
