import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type EventMeta, roomPath } from '../../api/events.ts';
import { useLinkTarget } from '../embedded.ts';

/** Links a kingdom of an event to its war room. */
export function RoomLink({
  meta,
  kingdom,
  children,
}: {
  meta: Pick<EventMeta, 'game' | 'dashboard_id'>;
  kingdom: string;
  children?: ReactNode;
}) {
  const target = useLinkTarget();
  return (
    <Link {...roomPath(meta, kingdom)} {...target}>
      {children ?? kingdom}
    </Link>
  );
}
