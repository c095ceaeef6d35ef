import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { GAME_IDS, GAMES } from '../../domain/games/games.ts';
import { layoutOf, SNAPSHOT_KINDS } from '../../domain/scans/layouts.ts';

/** The names that docs/columns.md gives of columns are those in files. */

const PAGE = readFileSync(resolve(import.meta.dirname, '../../docs/columns.md'), 'utf8');
const NAMED = { scan: 'scans', history: 'histories' } as const;

const LAYOUTS = GAME_IDS.flatMap((game) =>
  SNAPSHOT_KINDS.map((kind) => ({ title: `${GAMES[game].name}: ${NAMED[kind]}`, ...layoutOf({ game, kind }) })),
);

test.each(LAYOUTS)('docs/columns.md has each column of $title, in its order', ({ title, columns, lead }) => {
  const [, part = ''] = PAGE.split(`## ${title}\n`);
  const [table = ''] = part.split('\n## ');
  const [, , ...lines] = table.trim().split('\n');
  expect(lines).toEqual(
    columns.map(({ key, title, type }) => `| \`${key}\` | ${title} | ${type} | ${lead.includes(key) ? '• ' : ''}|`),
  );
});
