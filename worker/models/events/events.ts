import type { EventPayload } from '../../../domain/events/contract.ts';
import {
  type EventMark,
  type EventPlan,
  type EventState,
  MARK_ACTS,
  type MarkAct,
  nextGathering,
} from '../../../domain/events/event.ts';
import { planChanges } from '../../../domain/events/plan-changes.ts';
import { planWithoutRemoved } from '../../../domain/events/removed.ts';
import type { GameId } from '../../../domain/games/games.ts';
import type { Db } from '../../db/open.ts';
import { auditIfChanged, auditStatement } from '../service/audit.ts';

/** Events that admins create. */

/** An event and its plan. */
export interface Event {
  id: number;
  plan: EventPlan;
  mark: EventMark;
  revision: number;
  /** Epoch ms; null if no gathering is planned. */
  next_refresh: number | null;
  created_at: number;
  updated_at: number;
}

export interface Admin {
  id: string;
  address: string;
}

export interface EventRow extends Omit<Event, 'plan'> {
  plan: string;
}

const COLUMNS = 'id, plan, mark, revision, next_refresh, created_at, updated_at';
const FROM = `SELECT ${COLUMNS} FROM events`;

/** Parses a row of `events`, whose plan is JSON. */
export const eventFrom = (row: EventRow): Event => ({ ...row, plan: JSON.parse(row.plan) as EventPlan });

/** Groups rows by their event, without its id. */
export function byEvent<Row extends object>(rows: readonly (Row & { event_id: number })[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const { event_id, ...row } of rows) {
    const group = groups.get(event_id);
    if (group) group.push(row as unknown as Row);
    else groups.set(event_id, [row as unknown as Row]);
  }
  return groups;
}

/** Returns the statement that reads an event's row. */
export const eventStatement = (db: Db, id: number): D1PreparedStatement =>
  db.$client.prepare(`${FROM} WHERE id = ?`).bind(id);

/** Reads the events in `ids`, newest first. `ids` is SQL of a JSON array. */
export const eventsSql = (ids: string): string =>
  `${FROM} WHERE id IN (SELECT value FROM json_each(${ids})) ORDER BY start_at DESC, id DESC`;

export async function eventOf(db: Db, id: number): Promise<Event | null> {
  const row = await eventStatement(db, id).first<EventRow>();
  return row ? eventFrom(row) : null;
}

interface Done {
  action: string;
  /** Null while the event is being created and has no id. */
  id: number | null;
  detail?: Record<string, unknown>;
}

const entryOf = (admin: Admin, { action, id, detail = {} }: Done) => ({
  userId: admin.id,
  actor: `admin:${admin.id}`,
  action: `event.${action}`,
  ...(id === null ? {} : { subject: `event:${id}` }),
  detail,
  address: admin.address,
});

/** Returns the statement that records an admin's action on an event. */
export const eventAudit = (db: Db, admin: Admin, done: Done, now: number): D1PreparedStatement =>
  auditStatement(db, entryOf(admin, done), now);

/**
 * Creates an event and returns its id. `last` is the time of an earlier gathering of its kingdoms, if any; the next
 * gathering is scheduled from it.
 */
export async function createEvent(
  db: Db,
  plan: EventPayload,
  admin: Admin,
  now = Date.now(),
  last: number | null = null,
  mark: EventMark = 'open',
): Promise<number> {
  const { game, kvk_id, name, start, end } = plan;
  const [made] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(
        `INSERT INTO events (game, kvk_id, name, start_at, end_at, plan, next_refresh, created_at, updated_at, mark)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9) RETURNING id`,
      )
      .bind(game, kvk_id, name, start, end, JSON.stringify(plan), nextGathering(plan, mark, last, now), now, mark),
    eventAudit(db, admin, { action: 'created', id: null, detail: { game, kvk_id, name } }, now),
  ]);
  const id = made?.results[0]?.id;
  if (id === undefined) throw new Error('D1 answered an event without its id');
  return id;
}

/** Changes that an edit's entry in the log names. */
const LOGGED = 100;

/**
 * Changes an event's plan, logs what changed, and reschedules its next gathering. Returns false if the game differs or
 * the event changed since it was read.
 */
export async function editEvent(
  db: Db,
  before: Event,
  plan: EventPayload,
  admin: Admin,
  now = Date.now(),
): Promise<boolean> {
  const { id } = before;
  const { game, kvk_id, name, start, end } = plan;
  const changes = planChanges(before.plan, plan).slice(0, LOGGED);
  const last = await lastGathering(db, id);
  const [changed] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(
        `UPDATE events SET kvk_id = ?3, name = ?4, start_at = ?5, end_at = ?6, plan = ?7, next_refresh = ?8,
           updated_at = ?9, revision = revision + 1
         WHERE id = ?1 AND game = ?2 AND revision = ?10 RETURNING id`,
      )
      .bind(
        id,
        game,
        kvk_id,
        name,
        start,
        end,
        JSON.stringify(plan),
        nextGathering(plan, before.mark, last, now),
        now,
        before.revision,
      ),
    auditIfChanged(db, entryOf(admin, { action: 'edited', id, detail: { kvk_id, name, changes } }), now),
  ]);
  return changed?.results.length === 1;
}

/** Returns when the newest gathering was due, or null. */
async function lastGathering(db: Db, id: number): Promise<number | null> {
  const row = await db.$client
    .prepare(`SELECT max(due_at) AS due_at FROM event_refreshes WHERE event_id = ?`)
    .bind(id)
    .first<{ due_at: number | null }>();
  return row?.due_at ?? null;
}

/** The action's name in the audit log. */
const MARKED = { publish: 'published', close: 'closed', reopen: 'open', archive: 'archived' } as const;

/**
 * Publishes, closes, reopens or archives an event. Returns false if its state does not allow it or it changed since it
 * was read.
 */
export async function markEvent(db: Db, event: Event, act: MarkAct, admin: Admin, now = Date.now()): Promise<boolean> {
  const { mark, from } = MARK_ACTS[act];
  const next = nextGathering(event.plan, mark, await lastGathering(db, event.id), now);
  const [marked] = await db.$client.batch<{ id: number }>([
    db.$client
      .prepare(
        `UPDATE events SET mark = ?2, next_refresh = ?3, updated_at = ?4, revision = revision + 1
         WHERE id = ?1 AND revision = ?6 AND mark IN (SELECT value FROM json_each(?5)) RETURNING id`,
      )
      .bind(event.id, mark, next, now, JSON.stringify(from), event.revision),
    auditIfChanged(db, entryOf(admin, { action: MARKED[act], id: event.id }), now),
  ]);
  return marked?.results.length === 1;
}

export const EVENTS_PER_PAGE = 50;

/** SQL: events in a state at ?2, as `stateOf` tells it. */
const IN_STATE: Record<EventState, string> = {
  draft: `mark = 'draft'`,
  upcoming: `mark = 'open' AND start_at > ?2 AND end_at > ?2`,
  running: `mark = 'open' AND start_at <= ?2 AND end_at > ?2`,
  ended: `(mark = 'closed' OR mark = 'open' AND end_at <= ?2)`,
  archived: `mark = 'archived'`,
};

/** Returns a page of events, newest first: all, those in a state, or those with some ids. */
export async function listEvents(
  db: Db,
  {
    before = Number.MAX_SAFE_INTEGER,
    state,
    ids,
  }: { before?: number; state?: EventState; ids?: readonly number[] } = {},
  now = Date.now(),
): Promise<Event[]> {
  const { results } = await db.$client
    .prepare(
      `${FROM} WHERE id < ?1 AND ?2 AND ${state ? IN_STATE[state] : '1'}
         AND (?3 IS NULL OR id IN (SELECT value FROM json_each(?3)))
       ORDER BY id DESC LIMIT ${EVENTS_PER_PAGE}`,
    )
    .bind(before, now, ids ? JSON.stringify(ids) : null)
    .all<EventRow>();
  return results.map(eventFrom);
}

export interface RemovedRow {
  game: GameId;
  governor_id: number;
}

/** Reads the hidden governors. Accepting a removal raises the revisions of its game's events. */
export const REMOVED = `SELECT game, governor_id FROM removals WHERE state = 'accepted' ORDER BY game, governor_id`;

/** Returns an event as the public sees it, and the hidden governors of its game. */
export function shownEvent(row: EventRow, all: readonly RemovedRow[]): { event: Event; removed: number[] } {
  const event = eventFrom(row);
  const removed = all.filter(({ game }) => game === event.plan.game).map(({ governor_id }) => governor_id);
  return { event: { ...event, plan: planWithoutRemoved(event.plan, removed) }, removed };
}
