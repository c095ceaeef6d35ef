import { DurableObject } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { memoryOfSide } from '../domain/difference/difference.ts';
import { textKeys } from '../domain/events/columns.ts';
import { type EventPlan, kingdomKeys } from '../domain/events/event.ts';
import { pointsBetween } from '../domain/events/points.ts';
import { release } from '../domain/release.ts';
import type { Table } from '../domain/scans/rows.ts';
import { openDb } from '../worker/db/open.ts';
import type { Env } from '../worker/env.ts';
import { gzipped, joined } from '../worker/files/gzip.ts';
import { answerPieces } from '../worker/files/json-pieces.ts';
import { sentOff } from '../worker/files/stream-of.ts';
import { type Question, storeAnswer } from '../worker/gateways/dashboard-answers.ts';
import { LruCache } from '../worker/isolate/lru-cache.ts';
import { takeMemory, withMemory } from '../worker/isolate/memory.ts';
import { type EventHead, eventHead, partsOf, type SnapshotPart } from '../worker/models/events/event-snapshots.ts';
import {
  answerBoard,
  answerData,
  answerFile,
  answerGovernor,
  answerLines,
  answerTable,
  type Lent,
  MOST_POINTS,
  MOST_STEPS,
  type Sides,
  STREAMED_FROM,
} from '../worker/services/events/answer-dashboard.ts';
import { answerChanges, answerRecord, answerRooms } from '../worker/services/events/answer-room.ts';
import { loadMoment, type Shown, type StoredPart, storedParts } from '../worker/services/events/load-moment.ts';
import type { Point } from '../worker/services/events/make-lines.ts';
import type { SnapshotRange } from '../worker/services/events/write-data.ts';
import type { WantedColumns } from '../worker/services/scans/join-scans.ts';
import { withHeaders } from '../worker/services/service/speak.ts';
import { DASHBOARD_MIGRATIONS } from './schema.ts';

/** Maximum memory for cached columns and answers of one event, within the isolate's cache budget. */
const SIDES_BYTES = 20 * 1024 * 1024;
const ANSWERS_BYTES = 8 * 1024 * 1024;
const SMALL_SIDE_BYTES = 4 * 1024 * 1024;
/** Maximum age of the cached head, in ms. New snapshots appear after this and the caches in front. */
const HEAD_MS = 5000;
const MOST_POINTS_KEPT = 20_000;

/** Maximum number of snapshots between start and end that an answer uses in addition. */
const MOST_MOMENTS: Partial<Record<Question['kind'], number>> = {
  board: MOST_POINTS,
  lines: MOST_POINTS,
  governor: MOST_STEPS,
};

/** An event's snapshots at one revision, as the public sees them. */
interface View {
  plan: EventPlan;
  revision: number;
  removed: readonly number[];
  parts: ReadonlyMap<number, readonly SnapshotPart[]>;
}

/**
 * Caches what is expensive about one event: decoded columns of its snapshots, points of its lines and finished answers.
 * All of it can be recomputed after a restart.
 */
export class DashboardCache extends DurableObject<Env> {
  readonly #sides = new LruCache<Table>(SIDES_BYTES);
  readonly #answers = new LruCache<Uint8Array<ArrayBuffer>>(ANSWERS_BYTES);
  #head: { head: Promise<EventHead | null>; until: number } | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    state.blockConcurrencyWhile(async () => this.#migrate());
  }

  #migrate(): void {
    const done = this.ctx.storage.kv.get<number>('schema') ?? 0;
    for (const statement of DASHBOARD_MIGRATIONS.slice(done)) this.ctx.storage.sql.exec(statement);
    if (done < DASHBOARD_MIGRATIONS.length) this.ctx.storage.kv.put('schema', DASHBOARD_MIGRATIONS.length);
  }

  /** The object's name is the event's id. */
  get #eventId(): number {
    return Number(this.ctx.id.name);
  }

  /** Returns the event with its snapshots, at most `HEAD_MS` old, or null if it does not exist. */
  async head(): Promise<EventHead | null> {
    const now = Date.now();
    if (!this.#head || now >= this.#head.until) {
      const head = eventHead(openDb(this.env), this.#eventId);
      this.#head = { head, until: now + HEAD_MS };
      head.catch(() => this.forget());
    }
    return this.#head.head;
  }

  /** Drops the cached head after a change. */
  async forget(): Promise<void> {
    this.#head = undefined;
  }

  /** Answers a `Question` (JSON body). Returns 409 for another revision, 404 if its subject is unknown. */
  override async fetch(request: Request): Promise<Response> {
    const question = await request.json<Question>();
    const view = await this.#view(question);
    if (!view) return new Response(null, { status: 409 });
    if ((question.kind === 'data' && isLarge(view, question)) || question.kind === 'file')
      return this.#streamed(view, question);
    const bytes = await this.#held(view, question);
    return bytes ? new Response(bytes) : new Response(null, { status: 404 });
  }

  /** Reads what the question needs from D1, consistently. Returns undefined if the event has another revision. */
  async #view(question: Question): Promise<View | undefined> {
    const head = await this.#headWith(question.revision);
    if (!head) return undefined;
    const { kind, start, end, since = end } = question;
    const marked = Object.values(head.event.plan.dates);
    const moments = head.snapshots.map(({ ts }) => ts);
    const most = MOST_MOMENTS[kind];
    const drawn = most === undefined ? [] : pointsBetween(moments, { start, end, most, marked });
    const found = await partsOf(openDb(this.env), this.#eventId, [...new Set([...drawn, start, since, end])]);
    if (found?.event.revision !== question.revision) return undefined;
    return {
      plan: found.event.plan,
      revision: found.event.revision,
      removed: found.removed,
      parts: Map.groupBy(found.parts, ({ ts }) => ts),
    };
  }

  async #headWith(revision: number): Promise<EventHead | null> {
    const head = await this.head();
    if (head?.event.revision === revision) return head;
    await this.forget();
    const fresh = await this.head();
    return fresh?.event.revision === revision ? fresh : null;
  }

  /** Returns a cached answer, or computes it once for all concurrent callers. */
  async #held(view: View, question: Question): Promise<Uint8Array<ArrayBuffer> | null> {
    const name = JSON.stringify(question);
    const known = this.#answers.get(name);
    if (known) return known;
    return this.#inTurn(async () => {
      // A caller that waited for the same answer finds it in the cache.
      const make = () => this.#make(view, question);
      const bytes =
        this.#answers.get(name) ?? (await (isLarge(view, question) ? withMemory('eventAnswer', make) : make()));
      if (bytes) this.#keep(question, bytes);
      return bytes;
    });
  }

  #keep(question: Question, bytes: Uint8Array<ArrayBuffer>): void {
    this.#answers.put(JSON.stringify(question), bytes, bytes.byteLength);
    // Outlives this object, which is evicted when idle.
    this.ctx.waitUntil(storeAnswer(this.env.STORE, this.#eventId, question, bytes).catch(() => undefined));
  }

  /** Runs one task at a time, because callers often wait for the same answer. */
  #inTurn<Made>(work: () => Promise<Made>): Promise<Made> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #make(view: View, question: Question): Promise<Uint8Array<ArrayBuffer> | null> {
    const { plan, removed } = view;
    const sides = this.#sidesOf(view);
    const moments = [...view.parts.keys()];
    switch (question.kind) {
      case 'board':
        return plain(await answerBoard(plan, sides, moments, rangeOf(question)));
      case 'table':
        return gzipped(await answerTable(plan, sides, rangeOf(question)));
      case 'lines':
        return packed(await answerLines(plan, sides, moments, rangeOf(question), question.metrics ?? []));
      case 'governor': {
        const read = (parts: Parameters<typeof loadMoment>[2], columns: WantedColumns) =>
          loadMoment(this.env.STORE, { game: plan.game, removed }, parts, columns);
        const id = question.governor_id ?? 0;
        const governor = await answerGovernor(plan, sides, moments, rangeOf(question), id, read);
        return governor && packed(governor);
      }
      case 'room':
        return this.#makeRooms(view, question);
      case 'changes': {
        const { start, end, since = start, kingdom = null } = question;
        const changes = await answerChanges(plan, sides, { start, end, since }, kingdom);
        return changes && packed(changes);
      }
      case 'record':
        return plain(await answerRecord(plan, sides, rangeOf(question), question.governor_id ?? 0));
      default:
        return made([...(await answerData(plan, sides, rangeOf(question)))]);
    }
  }

  /**
   * Makes a kingdom's war room. The rooms of the whole range are made together, because the comparison that they share
   * costs more than any of them.
   */
  async #makeRooms(view: View, question: Question): Promise<Uint8Array<ArrayBuffer> | null> {
    const { kingdom = '', since = null, whole = false } = question;
    const kingdoms = kingdomKeys(view.plan.camps);
    if (!kingdoms.includes(kingdom)) return null;
    const wanted = whole ? kingdoms : [kingdom];
    let own: Uint8Array<ArrayBuffer> | null = null;
    for await (const room of answerRooms(view.plan, this.#sidesOf(view), rangeOf(question), since, wanted)) {
      const bytes = packed(room);
      if (room.kingdom === kingdom) own = bytes;
      else this.#keep({ ...question, kingdom: room.kingdom }, bytes);
    }
    return own;
  }

  /** Streams an answer while it is computed. */
  async #streamed(view: View, question: Question): Promise<Response> {
    // In its turn, because a turn that waits for memory must not wait for one that has it.
    const { pieces, slot } = await this.#inTurn(async () => {
      const taken = await takeMemory('eventAnswer');
      try {
        return { pieces: await this.#pieces(view, question), slot: taken };
      } catch (error) {
        taken.release();
        throw error;
      }
    });
    return new Response(sentOff(pieces, slot));
  }

  async #pieces(view: View, question: Question): Promise<Pieces> {
    const sides = this.#sidesOf(view);
    const range = rangeOf(question);
    if (question.kind === 'file')
      return withHeaders(this.env, question.headers, (titled) =>
        answerFile(view.plan, sides, range, {
          type: question.type ?? 'csv',
          kingdom: question.kingdom ?? null,
          titled,
        }),
      );
    return answerData(view.plan, sides, range);
  }

  #sidesOf(view: View): Sides {
    const parts = (ts: number) => view.parts.get(ts) ?? [];
    const keysAt = (ts: number) => parts(ts).map(({ key, stands_in }) => `${key}${stands_in ? '*' : ''}`);
    const { game, camps, weights, power_off, zeroed } = view.plan;
    const shown: Shown = { game, removed: view.removed };
    const pointName = ({ start, end }: SnapshotRange, metric: string) =>
      hashOf([keysAt(start), keysAt(end), camps, metric === 'dkp' ? [weights, power_off, zeroed] : [], metric]);
    return {
      parts,
      side: (ts, columns, names) => this.#side(shown, storedParts(parts(ts), ts), columns, names ?? false),
      lend: (ts, columns, keep) => this.#lend(shown, storedParts(parts(ts), ts), columns, keep),
      keptPoint: (range, metric) => this.#keptPoint(pointName(range, metric)),
      keepPoint: (range, metric, point) => this.#keepPoint(pointName(range, metric), point),
    };
  }

  /** Caches figures and texts separately, because lines need no names. Reads the files once for all that is missing. */
  async #side(shown: Shown, parts: readonly StoredPart[], figures: WantedColumns, names: boolean): Promise<Table> {
    const texts = { core: textKeys(shown.game), more: [] };
    const nameOf = (columns: WantedColumns) => sideName(shown, parts, columns);
    const [held, named] = [this.#sides.get(nameOf(figures)), names ? this.#sides.get(nameOf(texts)) : undefined];
    const missing = [...(held ? [] : [figures]), ...(names && !named ? [texts] : [])];
    const core = missing.flatMap((columns) => columns.core);
    const more = missing.flatMap((columns) => columns.more);
    const read = missing.length > 0 ? await loadMoment(this.env.STORE, shown, parts, { core, more }) : null;
    const of = (known: Table | undefined, columns: WantedColumns): Table => {
      if (known || !read) return known as Table;
      const table = { ...read, texts: only(read.texts, columns === texts, texts.core) };
      if (columns === texts) table.numbers = {};
      // Large optional columns are rarely used twice and would evict the core columns.
      if (columns.more.length === 0 || bytesOf(table) < SMALL_SIDE_BYTES)
        this.#sides.put(nameOf(columns), table, bytesOf(table));
      return table;
    };
    const table = of(held, figures);
    return names ? { ...table, texts: { ...table.texts, ...of(named, texts).texts } } : table;
  }

  async #lend(shown: Shown, parts: readonly StoredPart[], columns: WantedColumns, keep: boolean): Promise<Lent> {
    const name = sideName(shown, parts, columns);
    const table = keep
      ? await this.#side(shown, parts, columns, false)
      : (this.#sides.get(name) ?? (await loadMoment(this.env.STORE, shown, parts, columns)));
    if (this.#sides.get(name) === table) return { table, back: () => undefined };
    return { table, back: () => release(memoryOfSide(table)) };
  }

  #keptPoint(name: string): Pick<Point, 'gained' | 'now'> | null {
    const [row] = this.ctx.storage.sql
      .exec<{ point: string }>(`SELECT point FROM points WHERE name = ?`, name)
      .toArray();
    return row ? (JSON.parse(row.point) as Pick<Point, 'gained' | 'now'>) : null;
  }

  #keepPoint(name: string, point: Pick<Point, 'gained' | 'now'>): void {
    const { sql } = this.ctx.storage;
    sql.exec(`INSERT OR REPLACE INTO points (name, point) VALUES (?, ?)`, name, JSON.stringify(point));
    sql.exec(`DELETE FROM points WHERE id <= (SELECT max(id) FROM points) - ?`, MOST_POINTS_KEPT);
  }
}

const sideName = ({ removed }: Shown, parts: readonly StoredPart[], columns: WantedColumns): string =>
  hashOf([parts.map(({ key }) => key), columns, removed]);

/** Returns the texts with these keys, or all others. */
const only = (texts: Table['texts'], among: boolean, keys: readonly string[]): Table['texts'] =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => keys.includes(key) === among));

/** True for an answer that needs much memory. */
function isLarge({ parts }: View, { start, end }: Question): boolean {
  const rows = [start, end].flatMap((ts) => parts.get(ts) ?? []);
  return rows.reduce((sum, part) => sum + part.rows, 0) > STREAMED_FROM;
}

type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const rangeOf = ({ start, end }: Question): SnapshotRange => ({ start, end });
const hashOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url');
const plain = (data: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(data)) as Uint8Array<ArrayBuffer>;
const packed = (data: Readonly<Record<string, unknown>>): Uint8Array<ArrayBuffer> => gzipped(answerPieces(data));

/** Joins the pieces into one array and releases their memory. */
function made(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = joined(pieces);
  release(pieces.map(({ buffer }) => buffer));
  return bytes;
}

/**
 * Approximate size of a name or tag as a string, with header and slot. Counted once, because both sides share most of
 * them.
 */
const TEXT_BYTES = 48;
const PLACE_BYTES = 8;

const bytesOf = ({ count, numbers, texts }: Table): number =>
  Object.values(texts).reduce(
    (sum, column) => sum + column.reduce((bytes, text) => bytes + (text === null ? PLACE_BYTES : TEXT_BYTES), 0),
    count * 8 * Object.keys(numbers).length,
  );
