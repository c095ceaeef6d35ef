import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020';
import { beforeAll, expect, inject, test } from 'vitest';

/** Checks that every example of the README and docs/ runs as printed somewhere, or says here why it does not. */

const ROOT = resolve(import.meta.dirname, '../..');

interface Block {
  file: string;
  language: string;
  code: string;
  /** The text between the last heading and the block. */
  before: string;
}

const blocksOf = (file: string): Block[] =>
  readFileSync(join(ROOT, file), 'utf8')
    .split(/^(?=#)/m)
    .flatMap((part) =>
      [...part.matchAll(/^```(\w*)\n(.*?)^```/gms)].map((match) => ({
        file,
        language: match[1] ?? '',
        code: match[2] ?? '',
        before: part.slice(0, match.index),
      })),
    );

const BLOCKS = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT }).sort()].flatMap(blocksOf);

/** Files whose blocks another test runs or holds, all of them. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/recipes.md': 'test/e2e/recipes.test.ts',
  'docs/operating.md': 'test/proof/operating.test.ts',
  'docs/scale.md': 'test/proof/questions.test.ts',
};

/** First lines of the blocks that no test runs as they are printed. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm start   # the whole service at http://localhost:8787, with bots that scan a simulated world':
    'starts the service and the tests themselves; every test here runs against what `npm start` starts',
  'npm run doctor               # what is wrong with the configuration, a sentence each':
    'deploys to an account of Cloudflare; test/proof/operating.test.ts runs the commands that need none',
};

const firstLine = ({ code }: Block): string => code.split('\n')[0] ?? '';
const isFleetCall = ({ file, language }: Block): boolean => file === 'docs/fleet-api.md' && language === 'json';

test('every example is run or listed with a reason not to', () => {
  expect(BLOCKS.length).toBeGreaterThan(25);
  const left = BLOCKS.filter((block) => !RUN_ELSEWHERE[block.file] && !isFleetCall(block)).map(firstLine);
  expect(left.sort()).toEqual(Object.keys(NOT_RUN).sort());
  for (const [file, by] of Object.entries(RUN_ELSEWHERE))
    expect([file, readFileSync(join(ROOT, by), 'utf8').includes(file)]).toEqual([file, true]);
});

interface Contents {
  content: { 'application/json': { schema: object } };
}

let calls: Record<string, Record<string, { requestBody?: Contents; responses: { 200: Contents } }>>;
beforeAll(async () => {
  calls = (await (await fetch(`${inject('address')}/v1/openapi.json`)).json()).paths;
});

test.for(BLOCKS.filter(isFleetCall))('$file: $code', ({ code, before }) => {
  const [, path = ''] = [...before.matchAll(/`POST (\/v1\/fleet\/\w+)`/g)].at(-1) ?? [];
  const call = calls[path]?.post;
  const value: unknown = JSON.parse(code);
  const contents = Object.hasOwn(value as object, 'success') ? call?.responses[200] : call?.requestBody;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.validate(contents?.content['application/json'].schema ?? false, value);
  expect(ajv.errors ?? []).toEqual([]);
});
