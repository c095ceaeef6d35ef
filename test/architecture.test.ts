import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { NEWEST_MIGRATION } from '../worker/models/service/database.ts';
import { handlersOf } from './support/handlers.ts';

const ROOT = resolve(import.meta.dirname, '..');

interface Import {
  from: string;
  /** A path from the clone's top for our own files, else the package. */
  to: string;
  typeOnly: boolean;
  /** True of `import(…)`. */
  lazy: boolean;
}

const FOLDERS = [
  'domain',
  'scan-files',
  'worker',
  'durable-objects',
  'fleet',
  'web',
  'scripts',
  'stand-ins',
  'tools',
  'bench',
  'test',
];
const files = globSync(
  FOLDERS.map((folder) => `${folder}/**/*.{ts,tsx}`),
  { cwd: ROOT },
).sort();
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const STATEMENT = /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm;
const CALL = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

function importsOf(file: string): Import[] {
  const text = textOf(file);
  const target = (name: string) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name);
  const stated = [...text.matchAll(STATEMENT)].map(([, type, name = '']) => ({
    from: file,
    to: target(name),
    typeOnly: type !== undefined,
    lazy: false,
  }));
  const called = [...text.matchAll(CALL)].map(([, name = '']) => ({
    from: file,
    to: target(name),
    typeOnly: false,
    lazy: true,
  }));
  return [...stated, ...called];
}

/** A service that finds a thing of the caller's, or refuses. */
const FINDS = /^services\/\S+ find[A-Z]/;

const imports = files.flatMap(importsOf);
const isOurs = ({ to }: Import): boolean => FOLDERS.some((folder) => to.startsWith(`${folder}/`));
const within = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** Imports of a folder's files that lead outside what it may know, as 'a -> b'. */
const straying = (folder: string, allowed: readonly string[]): string[] =>
  imports
    .filter((each) => within(each.from, [folder]) && isOurs(each) && !within(each.to, [folder, ...allowed]))
    .map(({ from, to }) => `${from} -> ${to}`);

/** Removes arrows from or to files that are in no circle, until only circles are left. */
function circleOf(arrows: readonly (readonly [from: string, to: string])[]): string[] {
  let left = arrows;
  for (;;) {
    const [from, to] = [new Set(left.map(([each]) => each)), new Set(left.map(([, each]) => each))];
    const round = left.filter((arrow) => to.has(arrow[0]) && from.has(arrow[1]));
    if (round.length === left.length) return [...from].sort();
    left = round;
  }
}

test('the scan finds imports', () => {
  expect(imports).toContainEqual({
    from: 'domain/orders/pricing.ts',
    to: 'domain/money/money.ts',
    typeOnly: true,
    lazy: false,
  });
  expect(imports).toContainEqual({
    from: 'worker/db/open.ts',
    to: 'drizzle-orm/d1',
    typeOnly: false,
    lazy: false,
  });
  expect(imports.filter(({ to }) => to.startsWith('.'))).toEqual([]);
});

describe('which folders may import which', () => {
  test('no page loads zod, because what pages import from domain is separate from the schemas', () => {
    const carried = new Set(imports.map(({ from }) => from).filter((path) => within(path, ['web'])));
    for (const file of carried)
      for (const { from, to, typeOnly } of imports) if (from === file && !typeOnly) carried.add(to);
    expect(carried).toContain('domain/orders/pricing.ts');
    expect(carried).not.toContain('zod');
  });

  test('domain imports only itself and zod', () => {
    const foreign = imports.filter(({ from, to }) => within(from, ['domain']) && !within(to, ['domain', 'zod']));
    expect(foreign).toEqual([]);
  });

  test('no files import each other in a circle, not even types', () => {
    // Bindings are typed by the classes of their objects, which use them.
    const isBinding = ({ from, to }: Import) => from === 'worker/env.ts' && within(to, ['durable-objects']);
    const arrows = imports.filter((each) => isOurs(each) && !each.lazy && !isBinding(each));
    expect(circleOf(arrows.map(({ from, to }) => [from, to] as const))).toEqual([]);
  });

  test('no folders of domain import each other in a circle', () => {
    const folders = imports
      .filter(({ from, to }) => within(from, ['domain']) && within(to, ['domain']))
      .map(({ from, to }) => [dirname(from), dirname(to)] as const);
    expect(circleOf(folders.filter(([from, to]) => from !== to))).toEqual([]);
    const ring: [string, string][] = [
      ['start', 'a'],
      ['a', 'b'],
      ['b', 'a'],
    ];
    expect(circleOf(ring)).toEqual(['a', 'b']);
  });

  test('scan-files imports only domain, and no package', () => {
    const foreign = imports.filter(
      ({ from, to }) =>
        within(from, ['scan-files']) && !within(to, ['scan-files', 'domain']) && !to.startsWith('node:'),
    );
    expect(foreign).toEqual([]);
  });

  test('fleet imports only domain and scan-files', () =>
    expect(straying('fleet', ['domain', 'scan-files'])).toEqual([]));

  test('web imports domain, and only the app’s type from the Worker', () => {
    const beyond = imports.filter(
      (each) => within(each.from, ['web']) && isOurs(each) && !within(each.to, ['web', 'domain']),
    );
    expect(beyond.filter(({ to, typeOnly }) => !(typeOnly && to === 'worker/app.ts'))).toEqual([]);
  });

  test('the Worker and its objects import domain and each other, never web, fleet or scripts', () => {
    expect(straying('worker', ['domain', 'scan-files', 'durable-objects'])).toEqual([]);
    expect(straying('durable-objects', ['domain', 'worker'])).toEqual([]);
  });

  test('models import no HTTP: no routes, middleware, objects or hono', () => {
    const http = ['worker/routes', 'worker/middleware', 'worker/app.ts', 'durable-objects', 'hono'];
    expect(imports.filter(({ from, to }) => within(from, ['worker/models', 'worker/db']) && within(to, http))).toEqual(
      [],
    );
  });

  test('services import no HTTP, and models, gateways and files import no services', () => {
    const http = ['worker/routes', 'worker/middleware', 'worker/app.ts', 'worker/http/answer.ts', 'worker/db', 'hono'];
    const upward = imports.filter(({ from, to }) => within(from, ['worker/services']) && within(to, http));
    expect(upward.filter(({ to }) => to !== 'worker/db/open.ts')).toEqual([]);
    const downward = imports.filter(
      ({ from, to, typeOnly }) =>
        within(from, ['worker/models', 'worker/db', 'worker/files', 'worker/gateways']) &&
        within(to, ['worker/services']) &&
        !typeOnly,
    );
    expect(downward).toEqual([]);
  });

  test('routes read no stored files and call no objects of orders, because services do', () => {
    const beneath = [
      'worker/files/parquet.ts',
      'worker/gateways/snapshot-store.ts',
      'worker/gateways/order-objects.ts',
    ];
    const deep = imports.filter(({ from, to }) => within(from, ['worker/routes']) && within(to, beneath));
    expect(deep).toEqual([]);
    const orchestrating = files.filter(
      (file) => within(file, ['worker/routes']) && /ORDER_PROGRESS|gunzipSync\(.*JSON|\$client/.test(textOf(file)),
    );
    expect(orchestrating).toEqual([]);
  });

  test('a route looks up the subject of a call, then calls one service or model', () => {
    const handlers = globSync('worker/routes/*.ts', { cwd: ROOT }).flatMap((file) => handlersOf(ROOT, file));
    expect(handlers.length).toBeGreaterThan(150);
    // Public pages answer from memory or the edge cache first, so these files may make several calls. They write nothing.
    const atHand = ['cards.ts', 'dashboards.ts', 'leaderboards.ts', 'pages.ts', 'profiles.ts', 'war-rooms.ts'];
    const several = handlers.filter(
      ({ file, calls }) => !atHand.includes(basename(file)) && calls.filter((call) => !FINDS.test(call)).length > 1,
    );
    expect(several).toEqual([]);
    expect(handlers.filter(({ file, route }) => atHand.includes(basename(file)) && !/^(GET|ON) /.test(route))).toEqual(
      [],
    );
    // The scan sees calls at all, also those of a function beside the handler.
    const callsOf = (file: string, route: string) =>
      handlers.find((each) => basename(each.file) === file && each.route === route)?.calls;
    expect(callsOf('sessions.ts', "POST '/login'")).toEqual(['services/accounts/sign-in.ts signIn']);
    expect(callsOf('profiles.ts', "GET '/leaderboard/kingdom/:id'")).toContain(
      'services/boards/show-profile.ts packedProfile',
    );
  });

  test('only one file calls the objects of orders', () => {
    const speaking = files.filter(
      (file) => within(file, ['worker', 'durable-objects']) && textOf(file).includes('ORDER_PROGRESS.getByName('),
    );
    expect(speaking).toEqual(['worker/gateways/order-objects.ts']);
  });

  test('scripts and stand-ins import no tests', () => {
    const tests = imports.filter(({ from, to }) => within(from, ['scripts', 'stand-ins']) && within(to, ['test']));
    expect(tests).toEqual([]);
  });

  test('objects import no routes', () => {
    expect(
      imports.filter(({ from, to }) => within(from, ['durable-objects']) && within(to, ['worker/routes'])),
    ).toEqual([]);
  });

  test('web/api imports no components', () => {
    const drawn = ['web/components', 'web/ui', 'web/table', 'web/chart', 'web/routes'];
    expect(imports.filter(({ from, to }) => within(from, ['web/api']) && within(to, drawn))).toEqual([]);
  });

  test('ui, table and chart import no API and no route', () => {
    const drawn = ['web/ui', 'web/table', 'web/chart'];
    expect(imports.filter(({ from, to }) => within(from, drawn) && within(to, ['web/api', 'web/routes']))).toEqual([]);
  });
});

/** Files that define tables of D1. */
const schemas = globSync('worker/db/*.ts', { cwd: ROOT }).filter((file) => textOf(file).includes('sqliteTable('));

describe('where SQL lives', () => {
  const allowed = ['worker/models', 'worker/db', 'durable-objects', 'scripts/migrate.ts', 'test', 'tools', 'bench'];

  test('only models and db import the tables of D1', () => {
    const strays = imports.filter(
      ({ from, to }) => schemas.includes(to) && !within(from, ['worker/models', 'worker/db', 'test', 'bench']),
    );
    expect(strays).toEqual([]);
  });

  test('only models, db and the objects contain SQL statements', () => {
    const statement = /\b(SELECT\s[\s\S]{1,200}?\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM)\s/;
    const strays = files.filter((file) => !within(file, allowed) && statement.test(textOf(file)));
    expect(statement.test(textOf('worker/models/money/ledger.ts'))).toBe(true);
    expect(strays).toEqual([]);
  });
});

test('no file is longer than 400 lines', () => {
  const long = files
    .filter((file) => !file.endsWith('.gen.ts'))
    .map((file) => ({ file, lines: textOf(file).split('\n').length }))
    .filter(({ lines }) => lines > 400);
  expect(long).toEqual([]);
});

test('every money column is an integer whose name says cents', () => {
  expect(schemas.length).toBeGreaterThan(4);
  const columns = schemas.flatMap((file) =>
    [...textOf(file).matchAll(/^\s+(\w*(?:cents|balance|price|amount)\w*|total): (\w+)\(/gm)].map(
      ([, name = '', type]) => ({
        file,
        name,
        type,
      }),
    ),
  );
  expect(new Set(columns.map(({ file }) => file)).size).toBeGreaterThan(1);
  expect(columns.filter(({ name, type }) => type !== 'integer' || !name.endsWith('_cents'))).toEqual([]);
  expect(schemas.filter((file) => /\breal\(/.test(textOf(file)))).toEqual([]);
});

test('every answer of a route goes through the envelope', () => {
  const bare = globSync('worker/routes/*.ts', { cwd: ROOT }).filter((file) =>
    /\bcontext\.(json|text|html)\(/.test(textOf(file)),
  );
  expect(bare).toEqual([]);
});

test('pages avoid code that only works in Chromium', () => {
  const pages = files.filter((file) => file.startsWith('web/'));
  // Firefox draws the caption of a table that is out of sight: a box around it is what may be hidden.
  expect(pages.filter((file) => textOf(file).includes('<table className="visually-hidden"'))).toEqual([]);
  // The clipboard is missing in insecure contexts and can be refused: one place knows the other way and says so.
  expect(pages.filter((file) => textOf(file).includes('navigator.clipboard'))).toEqual(['web/ui/copy.ts']);
});

test('git tracks no log', () => {
  const tracked = execFileSync('git', ['ls-files', '*.log', '*.cpuprofile', '*.heapsnapshot'], { cwd: ROOT });
  expect(tracked.toString()).toBe('');
});

test('the service waits for the newest migration', () => {
  expect(globSync('migrations/*.sql', { cwd: ROOT }).sort().at(-1)).toBe(join('migrations', NEWEST_MIGRATION));
});

/** Migrations from before the rule that the previous release must run on the new schema. */
const OLD_DROPS = ['0007_no_unused_notifications.sql', '0009_finished_orders_and_preparation.sql'];
/** Migrations that rebuild a table under the same name with the same columns. */
const REBUILDS = ['0027_governors_with_rowid.sql', '0041_snapshots_by_fewer_rows.sql'];
// Triggers may be dropped: the previous Worker runs without them, or the migration creates them again.
const TAKES_AWAY = /\b(DROP\s+(TABLE|COLUMN|VIEW)|ALTER\s+TABLE\s+\S+\s+(DROP|RENAME))\b/i;

test('a migration removes nothing that the previous Worker uses until the new one is deployed', () => {
  const taking = globSync('migrations/*.sql', { cwd: ROOT })
    .filter((file) => TAKES_AWAY.test(textOf(file).replace(/--.*$/gm, '')))
    .map((file) => basename(file));
  expect(taking.sort()).toEqual([...OLD_DROPS, ...REBUILDS]);
});
