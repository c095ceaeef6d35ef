import { boundCaches } from './lru-cache.ts';

/**
 * The memory of an isolate that heavy work shares. Durable Objects of several events or orders can be in one isolate
 * with the Worker's requests, so there is one budget for all of them.
 */

/** What an isolate has beside its code, small requests and their garbage, which take 25 of its 128 MB. */
const BUDGET_MB = 102;
/**
 * Part of it for short work, so that a sign-in never waits behind a file. It has room for one password, because hashing
 * blocks the isolate, and other requests have their turn in between.
 */
const SHORT_MB = 17;

/** Memory of each kind of heavy work beside cached columns, as measured by the benchmarks (bench/README.md). */
export const MEGABYTES = {
  /** A page of a data export. One value of D1 may have 2 MB, and the page exists as rows, as text and as bytes. */
  dataExport: 20,
  /** scrypt with the parameters of `worker/models/accounts/passwords.ts`. */
  passwordHash: 17,
  /** A workbook of 20,000 rows or more, or a comparison with as many. */
  workbook: 25,
  /** Finishing an item of 1,000 governors or more. */
  finishing: 30,
  /** A board of 25,000 governors, parsed. */
  sortedBoard: 45,
  /** An answer about an event with 30,000 rows or more. */
  eventAnswer: 45,
  /** A sorted copy of results. */
  sortedCopy: 55,
  /** A comparison with more than 50,000 rows, including its file. */
  comparison: 60,
  /** A day's boards. */
  boards: 70,
  /** An uploaded file of 20 MB with its tables. */
  uploadedFile: 80,
} as const;

export type HeavyWork = keyof typeof MEGABYTES;

/** Memory in use. `release` gives it back. */
export interface Slot {
  release(): void;
}

const POLL_MS = 20;
/** A caller that stopped polling for this long has disconnected. */
const GONE_MS = 1000;
/** Work says this often that it continues. The timer of a request that was cut off stops. */
const ALIVE_MS = 2000;
const STALE_MS = 10_000;
/** A client that reads an answer slowly keeps its memory no longer than this. */
const MOST_MS = 120_000;

interface Taken {
  megabytes: number;
  since: number;
  alive: number;
}

interface Waiting {
  megabytes: number;
  polled: number;
}

/**
 * Gives out megabytes to callers in the order in which they came; short work has a row of its own. Waiting callers poll,
 * because a promise created by another request is unreliable in an isolate.
 */
export class MemoryBudget {
  readonly #megabytes: number;
  readonly #short: number;
  readonly #taken = new Map<symbol, Taken>();
  readonly #waiting = new Map<symbol, Waiting>();

  /** `short` of the megabytes are for work that takes no more than that, and which takes no others. */
  constructor(megabytes: number, short = 0) {
    this.#megabytes = megabytes;
    this.#short = short;
  }

  /** Returns the megabytes that no work has taken. */
  free(now = Date.now()): number {
    return this.#megabytes - this.#takenBy(() => true, now);
  }

  #takenBy(which: (taken: Taken) => boolean, now: number): number {
    let sum = 0;
    for (const [slot, taken] of this.#taken) {
      if (taken.alive < now - STALE_MS || taken.since < now - MOST_MS) this.#taken.delete(slot);
      else if (which(taken)) sum += taken.megabytes;
    }
    return sum;
  }

  /** Waits until this much memory is free and takes it. */
  async take(megabytes: number): Promise<Slot> {
    const slot = Symbol('slot');
    while (!this.#isNext(slot, megabytes)) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    this.#waiting.delete(slot);
    const now = Date.now();
    const taken: Taken = { megabytes, since: now, alive: now };
    this.#taken.set(slot, taken);
    const timer = setInterval(() => {
      taken.alive = Date.now();
      if (!this.#taken.has(slot)) clearInterval(timer);
    }, ALIVE_MS);
    return {
      release: () => {
        clearInterval(timer);
        this.#taken.delete(slot);
      },
    };
  }

  #isShort(megabytes: number): boolean {
    return megabytes <= this.#short;
  }

  #isNext(slot: symbol, megabytes: number): boolean {
    const now = Date.now();
    this.#waiting.set(slot, { megabytes, polled: now });
    for (const [other, { polled }] of this.#waiting) if (polled < now - GONE_MS) this.#waiting.delete(other);
    const isShort = this.#isShort(megabytes);
    const isAlike = (other: { megabytes: number }) => this.#isShort(other.megabytes) === isShort;
    const [first] = [...this.#waiting].find(([, other]) => isAlike(other)) ?? [];
    const most = isShort ? this.#short : this.#megabytes - this.#short;
    return first === slot && this.#takenBy(isAlike, now) + megabytes <= most;
  }
}

const budget = new MemoryBudget(BUDGET_MB, SHORT_MB);
const trimCaches = boundCaches(() => budget.free() * 2 ** 20);

/** Waits for the memory of heavy work. Caches give way to it. The caller releases it. */
export async function takeMemory(work: HeavyWork): Promise<Slot> {
  const slot = await budget.take(MEGABYTES[work]);
  trimCaches();
  return slot;
}

/** Runs heavy work with its memory. */
export async function withMemory<Made>(work: HeavyWork, act: () => Promise<Made>): Promise<Made> {
  const slot = await takeMemory(work);
  try {
    return await act();
  } finally {
    slot.release();
  }
}
