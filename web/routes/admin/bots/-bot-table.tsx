import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Bot } from '../../../api/admin.ts';
import { exact } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { Time } from '../../../ui/time.tsx';
import styles from '../admin.module.css';

/** Seconds since a bot last connected, with the specification's green and red markers (section 4). */
function LastSeen({ bot: { last_connected: at, seen_at, rest } }: { bot: Bot }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (at === null)
    return (
      <>
        <span className={styles.seen}>Offline</span>
        <Under>
          last heard <Time at={seen_at} />
        </Under>
      </>
    );
  return (
    <>
      <span className={styles.seen} data-online>
        {Math.max(0, Math.floor(now / 1000 - at))} s ago
      </span>
      {rest && <Under>{rest}</Under>}
    </>
  );
}

const yesNo = (value: boolean): string => (value ? 'Yes' : 'No');

/** What a bot declares that it can scan, in a few words. */
function scansText({ scans }: Bot): string {
  if (scans === null) return 'Everything';
  const parts = scans.flatMap(({ game, count, first }) => {
    if (count === 0) return [];
    const listed = `${first.join(', ')}${(count ?? 0) > first.length ? ` and ${exact((count ?? 0) - first.length)} more` : ''}`;
    return [`${game.toUpperCase()} ${count === null ? 'all' : listed}`];
  });
  return parts.join('; ') || 'Nothing';
}

const COLUMNS: readonly Column<Bot>[] = [
  {
    id: 'bot_id',
    title: 'Bot',
    sticky: true,
    cell: ({ bot_id }) => (
      <Link to="/admin/bots/$botId" params={{ botId: bot_id }}>
        {bot_id}
      </Link>
    ),
  },
  // Placed first to be visible without scrolling, because admins look for them most.
  { id: 'seen', title: 'Last connected', cell: (bot) => <LastSeen bot={bot} /> },
  { id: 'error', title: 'Error', cell: ({ error }) => error ?? 'NO', grow: true, wraps: true },
  { id: 'group', title: 'Group', cell: ({ group }) => group },
  { id: 'game', title: 'Game', cell: ({ account_game }) => account_game.toUpperCase() },
  { id: 'scans', title: 'Can scan', cell: scansText, wraps: true },
  { id: 'kingdom', title: 'Kingdom', figures: true, cell: ({ kingdom_id }) => kingdom_id ?? '–' },
  { id: 'ip', title: 'IP', cell: ({ account_ip }) => account_ip || '–' },
  { id: 'governor', title: 'Governor', figures: true, cell: ({ governor_id }) => governor_id ?? '–' },
  { id: 'packets', title: 'Packets', figures: true, cell: ({ packets_count }) => exact(packets_count) },
  { id: 'tasks', title: 'Tasks', figures: true, cell: ({ tasking_count }) => exact(tasking_count) },
  { id: 'failed', title: 'Failed', figures: true, cell: ({ tasking_count_failed }) => exact(tasking_count_failed) },
  { id: 'titles', title: 'Kingdom titles', cell: ({ kingdom_titles }) => yesNo(kingdom_titles) },
  { id: 'discord', title: 'Discord titles', cell: ({ discord_titles }) => yesNo(discord_titles) },
];

export const BotTable = ({ label, bots }: { label: string; bots: readonly Bot[] }) => (
  <Table label={label} columns={COLUMNS} rows={bots} rowId={({ group, bot_id }) => `${group}/${bot_id}`} />
);
