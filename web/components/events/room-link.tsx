import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type EventMeta, roomPath } from '../../api/events.ts';
import { useLinkTarget } from '../embedded.ts';
import type { RoomSearch } from './room-search.ts';

/** Links a kingdom of an event to its war room. `only` filters the governors listed there. */
export function RoomLink({
  meta,
  kingdom,
  only,
  children,
}: {
  meta: Pick<EventMeta, 'game' | 'dashboard_id'>;
  kingdom: string;
  only?: RoomSearch['only'];
  children?: ReactNode;
}) {
  const target = useLinkTarget();
  return (
    <Link {...roomPath(meta, kingdom)} search={{ only }} {...target}>
      {children ?? kingdom}
    </Link>
  );
}
