import type { Env } from '../../worker/env.ts';

/**
 * Bindings that are `DELAY_MS` away, as in production where D1, the objects and the buckets are in one place and the
 * Worker runs near its caller. Every call is counted.
 */

export const DELAY_MS = 60;

const KINDS = ['D1', 'object', 'R2'] as const;
export type Kind = (typeof KINDS)[number];

export interface Trip {
  kind: Kind;
  /** How many trips precede this one in sequence, including it. */
  depth: number;
  /** When the call began and its delay ended, in ms since the epoch. */
  began: number;
  ended: number | null;
}

let trips: Trip[] = [];
let done = 0;

/** Starts counting again. */
export function forgetTrips(): void {
  trips = [];
  done = 0;
}

export const countedTrips = (): readonly Trip[] => trips;

/** Waits as long as the network would. A call that begins after another one has arrived is in sequence with it. */
async function travel(kind: Kind): Promise<void> {
  const trip: Trip = { kind, depth: done + 1, began: Date.now(), ended: null };
  const [own, all] = [trip, trips];
  all.push(own);
  await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
  own.ended = Date.now();
  if (all === trips) done = Math.max(done, own.depth);
}

type Client = Env['DB'];
type Session = ReturnType<Client['withSession']>;
type Statement = ReturnType<Client['prepare']>;
type Method = (...args: unknown[]) => unknown;

/** Delays the named methods of a target. Other methods run on the target at once. */
function delayed<Target extends object>(
  kind: Kind,
  target: Target,
  names: readonly string[],
  others: Readonly<Record<string, Method>> = {},
): Target {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === 'string' && name in others) return others[name];
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const call = (...args: unknown[]) => (value as Method).apply(target, args);
      if (!names.includes(String(name))) return call;
      return async (...args: unknown[]) => {
        await travel(kind);
        return call(...args);
      };
    },
  });
}

const insides = new WeakMap<object, Statement>();

function statement(inside: Statement): Statement {
  const outside = delayed('D1', inside, ['first', 'all', 'run', 'raw'], {
    bind: (...values) => statement(inside.bind(...values)),
  });
  insides.set(outside, inside);
  return outside;
}

const distantD1 = <Either extends Client | Session>(client: Either): Either =>
  delayed('D1', client, ['exec'], {
    prepare: (sql) => statement(client.prepare(sql as string)),
    withSession: (start) => distantD1((client as Client).withSession(start as string)),
    batch: async (statements) => {
      await travel('D1');
      return client.batch((statements as Statement[]).map((each) => insides.get(each) ?? each));
    },
  });

/** Every property of a stub is a call, except these. */
const LOCAL = new Set<PropertyKey>(['id', 'name', 'then']);

function stub(inside: object): object {
  return new Proxy(inside, {
    get(_, name) {
      if (LOCAL.has(name) || typeof name === 'symbol') return Reflect.get(inside, name, inside);
      return async (...args: unknown[]) => {
        await travel('object');
        return (inside as Record<string, Method>)[name]?.(...args);
      };
    },
  });
}

const distantObjects = <Objects extends object>(objects: Objects): Objects => {
  const found =
    (name: string) =>
    (...args: unknown[]) =>
      stub((objects as Record<string, Method>)[name]?.(...args) as object);
  return delayed('object', objects, [], { get: found('get'), getByName: found('getByName') });
};

const distantR2 = (bucket: Env['STORE']): Env['STORE'] =>
  delayed('R2', bucket, ['get', 'put', 'head', 'list', 'delete', 'createMultipartUpload']);

/** Returns the bindings with the network in front of them. */
export const distant = (env: Env): Env => ({
  ...env,
  DB: distantD1(env.DB),
  STORE: distantR2(env.STORE),
  BACKUP: distantR2(env.BACKUP),
  ORDER_PROGRESS: distantObjects(env.ORDER_PROGRESS),
  DASHBOARD_CACHE: distantObjects(env.DASHBOARD_CACHE),
  USER_SOCKETS: distantObjects(env.USER_SOCKETS),
});
