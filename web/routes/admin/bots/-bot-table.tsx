import { Link } from '@tanstack/react-router';
import { listed, message, t } from '../../../../domain/language/text.ts';
import type { Bot } from '../../../api/admin.ts';
import { exact } from '../../../format.ts';
import type { Column } from '../../../table/column.ts';
import { Table, Under } from '../../../table/table.tsx';
import { T } from '../../../ui/text.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSecond } from '../../../ui/use-second.ts';
import styles from '../admin.module.css';

/** Seconds since a bot last connected, with the specification's green and red markers (section 4). */
function LastSeen({ bot: { last_connected: at, seen_at, rest } }: { bot: Bot }) {
  const now = useSecond();
  if (at === null)
    return (
      <>
        <span className={styles.seen}>{t('Offline')}</span>
        <Under>
          <T of="last heard {time}" time={<Time at={seen_at} />} />
        </Under>
      </>
    );
  return (
    <>
      <span className={styles.seen} data-online>
        {t('{seconds} s ago', { seconds: Math.max(0, now - at) })}
      </span>
      {rest && <Under>{rest}</Under>}
    </>
  );
}

const yesNo = (value: boolean): string => (value ? t('Yes') : t('No'));

/** What a bot declares that it can scan, in a few words. */
function scansText({ scans }: Bot): string {
  if (scans === null) return t('Everything');
  const parts = scans.flatMap(({ game, count, first }) => {
    if (count === 0) return [];
    const values = { game: game.toUpperCase(), listed: listed(first), more: exact((count ?? 0) - first.length) };
    if (count === null) return [t('{game} all', values)];
    return [count > first.length ? t('{game} {listed} and {more} more', values) : `${values.game} ${values.listed}`];
  });
  return parts.join(' · ') || t('Nothing');
}

const COLUMNS: readonly Column<Bot>[] = [
  {
    id: 'bot_id',
    title: message('Bot'),
    sticky: true,
    cell: ({ bot_id }) => (
      <Link to="/admin/bots/$botId" params={{ botId: bot_id }}>
        {bot_id}
      </Link>
    ),
  },
  // What admins look for most comes first, to be visible without scrolling.
  { id: 'seen', title: message('Last connected'), cell: (bot) => <LastSeen bot={bot} /> },
  { id: 'error', title: message('Error'), cell: ({ error }) => error ?? t('NO'), grow: true, wraps: true },
  { id: 'tasks', title: message('Tasks'), figures: true, cell: ({ tasking_count }) => exact(tasking_count) },
  {
    id: 'failed',
    title: message('Failed'),
    figures: true,
    cell: ({ tasking_count_failed }) => exact(tasking_count_failed),
  },
  { id: 'game', title: message('Game'), cell: ({ account_game }) => account_game.toUpperCase() },
  { id: 'kingdom', title: message('Kingdom'), figures: true, cell: ({ kingdom_id }) => kingdom_id ?? '–' },
  { id: 'ip', title: message('IP'), cell: ({ account_ip }) => account_ip || '–' },
  { id: 'scans', title: message('Can scan'), cell: scansText, wraps: true },
  { id: 'group', title: message('Group'), cell: ({ group }) => group },
  { id: 'governor', title: message('Governor'), figures: true, cell: ({ governor_id }) => governor_id ?? '–' },
  { id: 'packets', title: message('Packets'), figures: true, cell: ({ packets_count }) => exact(packets_count) },
  { id: 'titles', title: message('Kingdom titles'), cell: ({ kingdom_titles }) => yesNo(kingdom_titles) },
  { id: 'discord', title: message('Discord titles'), cell: ({ discord_titles }) => yesNo(discord_titles) },
];

/** `waiting`: number of skeleton rows while loading. */
export const BotTable = ({ label, bots, waiting = 0 }: { label: string; bots: readonly Bot[]; waiting?: number }) => (
  <Table
    label={label}
    columns={COLUMNS}
    rows={bots}
    rowId={({ group, bot_id }) => `${group}/${bot_id}`}
    waiting={waiting}
  />
);
