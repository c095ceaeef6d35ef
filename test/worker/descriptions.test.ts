import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { SCOPES } from '../../domain/accounts/scopes.ts';
import { app } from '../../worker/app.ts';
import { describeApi } from '../../worker/openapi/describe.ts';
import { FIELD_WORDS } from '../../worker/openapi/field-words.ts';
import { schemaOf } from '../../worker/openapi/schemas.ts';
import { SERVICE_WORDS } from '../../worker/openapi/service-words.ts';
import { flawsIn } from './contract.ts';

/** What the API description tells people and client generators. */

type Schema = Record<string, unknown>;
type Content = Record<string, { schema: Schema; example?: unknown }>;

interface Parameter {
  name: string;
  in: string;
  description?: string;
  example?: unknown;
  schema: Schema;
}

interface Operation {
  operationId: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

const api = describeApi(app.routes, 'https://muster.test') as unknown as {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, { name?: string; description: string }> };
};
const operations = Object.values(api.paths).flatMap((methods) => Object.values(methods));

const isNullable = (schema: Schema): boolean =>
  schema.type === 'null' ||
  (Array.isArray(schema.type) && schema.type.includes('null')) ||
  ((schema.anyOf as Schema[] | undefined) ?? []).some(isNullable);

const INSIDE = ['items', 'additionalProperties'];
const CHOICES = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];

/** Fields of a schema, at any depth, that lack a description or do not say when they are null. */
function untold(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const one = schema as Schema;
  const fields = Object.entries((one.properties ?? {}) as Record<string, Schema>).flatMap(([name, field]) => {
    const words = String(field.description ?? '');
    const told = words.length > 2 && (!isNullable(field) || /\bnull\b/i.test(words));
    return [...(told ? [] : [`${path}${name}: ${words}`]), ...untold(field, `${path}${name}.`)];
  });
  const inside = INSIDE.flatMap((key) => untold(one[key], path));
  const choices = CHOICES.flatMap((key) => ((one[key] ?? []) as Schema[]).flatMap((each) => untold(each, path)));
  return [...fields, ...inside, ...choices];
}

const contentsOf = ({ requestBody, responses }: Operation): [name: string, Content][] => [
  ...(requestBody ? [['body', requestBody.content] as [string, Content]] : []),
  ...Object.entries(responses).flatMap(([status, { content }]) =>
    content ? [[status, content] as [string, Content]] : [],
  ),
];

describe('the API description', () => {
  it('explains each field by its own name, also if fields share a zod schema', () => {
    const count = z.int();
    const { properties } = schemaOf(z.object({ kept: count, dropped: count, inner: z.object({ rows: count }) }));
    expect(properties).toMatchObject({
      kept: { description: 'Rows kept.' },
      dropped: { description: 'Lines left out.' },
      inner: { properties: { rows: { description: 'Number of rows; null if there are none yet.' } } },
    });
  });

  it('explains every field, and when it is null', () => {
    const missing = operations.flatMap((operation) =>
      contentsOf(operation).flatMap(([name, content]) =>
        Object.values(content).flatMap(({ schema }) =>
          untold(schema).map((field) => `${operation.operationId} ${name} ${field}`),
        ),
      ),
    );
    expect(missing).toEqual([]);
    const bare = { properties: { power: { type: ['number', 'null'], description: 'Power.' }, name: {} } };
    expect(untold({ items: bare })).toEqual(['power: Power.', 'name: ']);
  });

  /** Types of the values that a description can be about. */
  const MEANT: readonly (readonly [words: RegExp, type: RegExp])[] = [
    [/^(Time|When|Until|Start|End)\b.*epoch milliseconds/, /^(integer|number|array)$/],
    [/^Whether (?!.*1 or 0)/, /^boolean$/],
    [/^(Number of (?!the)|How many |Percent )/, /^(integer|number|object)$/],
  ];

  /** Fields of a schema, at any depth, whose values are not of the kind that their description is about. */
  const untrue = (schema: Schema, path = ''): string[] =>
    Object.entries(schema).flatMap(([key, inside]): string[] => {
      if (typeof inside !== 'object' || inside === null) return [];
      if (key !== 'properties') return untrue(inside as Schema, path);
      return Object.entries(inside as Record<string, Schema>).flatMap(([name, field]) => {
        const words = String(field.description ?? '');
        const types = typesOf(field);
        const odd = MEANT.some(([about, type]) => about.test(words) && !types.every((each) => type.test(each)));
        return [...(odd ? [`${path}${name} (${types}): ${words}`] : []), ...untrue(field, `${path}${name}.`)];
      });
    });

  const typesOf = (schema: Schema): string[] =>
    [schema.type ?? (schema.const === undefined ? schema.anyOf : typeof schema.const) ?? []]
      .flat()
      .flatMap((type) => (typeof type === 'string' ? [type] : typesOf(type as Schema)))
      .filter((type) => type !== 'null');

  it('explains each field by what its value is', () => {
    const odd = operations.flatMap((operation) =>
      Object.entries(operation.responses).flatMap(([, { content = {} }]) =>
        Object.values(content).flatMap(({ schema }) =>
          untrue(schema).map((field) => `${operation.operationId} ${field}`),
        ),
      ),
    );
    expect(odd).toEqual([]);
  });

  it('explains figures of the same name by their own unit', () => {
    const of = (path: string, ...names: string[]): string => {
      const step = (schema: Schema, name: string): Schema => {
        const choices = [schema, ...((schema.anyOf ?? []) as Schema[])];
        const found = choices.flatMap(({ properties, items, additionalProperties }) =>
          name === '*' ? [items ?? additionalProperties] : [(properties as Record<string, Schema> | undefined)?.[name]],
        );
        return found.find((one) => typeof one === 'object') as Schema;
      };
      const answer = api.paths[`/v1/${path}`]?.get?.responses[200]?.content?.['application/json'];
      return String(['data', ...names].reduce(step, answer?.schema as Schema).description);
    };
    const event = 'dashboards/{dashboard_id}';
    expect(of(event, 'publication_delay')).toMatch(/hours/);
    expect(of(event, 'power_off')).toMatch(/per unit of power/);
    expect(of(event, 'goals', '*', 'kills')).toMatch(/T4 and T5/);
    expect(of(`${event}/page`, 'board', 'top', '*', 'rank')).toMatch(/DKP/);
    for (const figure of ['deads_off', 'goal.reached.kills'])
      expect(of(`${event}/governor/{governor_id}`, ...figure.split('.'))).toMatch(/^Percent/);
    for (const path of [
      `${event}/page.board.top.*.goal`,
      `${event}/data.diffs.players.*.goal`,
      'compare.players.*.goal',
    ]) {
      const [call = '', ...names] = path.split('.');
      expect([path, of(call, ...names)]).toEqual([path, expect.stringMatching(/^Percent/)]);
    }
    expect(of('kingdoms/{id}', 'kingdoms', '*', 'score')).toMatch(/power/);
    expect(of('governor/rankings/{game}', 'rankings', '*', 'rank')).toMatch(/figure of the board/);
  });

  it('has no words for fields that do not exist', () => {
    const text = JSON.stringify(api);
    const words = Object.keys({ ...FIELD_WORDS, ...SERVICE_WORDS });
    expect(words.filter((name) => !text.includes(`"${name}":`) && !text.includes(`"name":"${name}"`))).toEqual([]);
  });

  it('explains every parameter', () => {
    const missing = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ description }) => !description).map(({ name }) => `${operationId} ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('names the calls that answer without data', () => {
    const said = (path: string, method: string) => api.paths[path]?.[method]?.responses[200]?.description;
    expect(said('/v1/fights/{fight_id}', 'delete')).toBe('Success, without data.');
    expect(said('/v1/fights', 'get')).toBe('Success.');
  });

  it('explains each key scope, and names the scope of each call', () => {
    const { key, session } = api.components.securitySchemes;
    for (const scope of SCOPES) expect(key?.description).toMatch(`\`${scope}\`: `);
    const scopes = new Set(operations.flatMap(({ security }) => security.flatMap((way) => way.key ?? [])));
    expect([...scopes].sort()).toEqual([...SCOPES].sort());
    expect(session?.name).toBe('__Host-muster_session');
    const local = describeApi(app.routes, 'http://localhost:8787') as unknown as typeof api;
    expect(local.components.securitySchemes.session?.name).toBe('muster_session');
  });

  it('lists the body types of uploads and of the webhook', () => {
    const typesOf = (path: string) => Object.keys(api.paths[path]?.post?.requestBody?.content ?? {});
    expect(typesOf('/v1/scans/import')).toContain('text/csv');
    expect(typesOf('/v1/admin/events/{dashboard_id}/snapshots')).toContain('application/octet-stream');
    expect(typesOf('/v1/rosters/{game}/{kingdom}/import')[0]).toBe('text/csv');
    expect(typesOf('/v1/payment/webhook')).toEqual(['application/json']);
  });
});

describe('examples', () => {
  it('match their schemas', () => {
    const flaws = operations.flatMap((operation) => [
      ...contentsOf(operation).flatMap(([name, content]) =>
        Object.entries(content).flatMap(([type, { schema, example }]) =>
          example === undefined
            ? []
            : flawsIn(`example ${operation.operationId} ${name} ${type}`, schema, example).map(
                (flaw) => `${operation.operationId} ${name}: ${flaw}`,
              ),
        ),
      ),
      ...operation.parameters
        .filter(({ example }) => example !== undefined)
        .flatMap(({ name, in: where, schema, example }) =>
          flawsIn(
            `example ${operation.operationId} ${where} ${name}`,
            { type: 'object', properties: { value: schema } },
            { value: String(example) },
            { coerce: true },
          ).map((flaw) => `${operation.operationId} ${name}: ${flaw} (${JSON.stringify(example)})`),
        ),
    ]);
    expect(flaws).toEqual([]);
  });

  it('exist for every JSON body, answer and path parameter', () => {
    const without = operations.flatMap((operation) => [
      ...contentsOf(operation).flatMap(([name, content]) => {
        const json = content['application/json'];
        const isOwn = json && !('$ref' in json.schema) && 'properties' in json.schema;
        return isOwn && json.example === undefined ? [`${operation.operationId} ${name}`] : [];
      }),
      ...operation.parameters
        .filter((one) => one.in === 'path' && one.example === undefined)
        .map(({ name }) => `${operation.operationId} ${name}`),
    ]);
    expect(without).toEqual([]);
  });
});

describe('paths', () => {
  const parameterOf = (path: string, part: string): Parameter | undefined =>
    Object.values(api.paths[path] ?? {})
      .flatMap(({ parameters }) => parameters)
      .find((one) => one.in === 'path' && `{${one.name}}` === part);

  /** True if a parameter's schema accepts the literal. */
  const takes = (parameter: Parameter | undefined, literal: string): boolean =>
    !parameter ||
    flawsIn(
      `place ${JSON.stringify(parameter.schema)}`,
      { type: 'object', properties: { value: parameter.schema } },
      { value: literal },
      { coerce: true },
    ).length === 0;

  const areApart = (one: string, other: string): boolean => {
    const [parts, others] = [one.split('/'), other.split('/')];
    return (
      parts.length !== others.length ||
      parts.some((part, index) => {
        const beside = others[index] ?? '';
        const [open, besideOpen] = [part.startsWith('{'), beside.startsWith('{')];
        if (!open && !besideOpen) return part !== beside;
        if (open && besideOpen) return false;
        return open ? !takes(parameterOf(one, part), beside) : !takes(parameterOf(other, beside), part);
      })
    );
  };

  it('are told apart by their patterns', () => {
    const paths = Object.keys(api.paths);
    const confused = paths.flatMap((one, index) =>
      paths
        .slice(index + 1)
        .filter((other) => !areApart(one, other))
        .map((other) => `${one} | ${other}`),
    );
    expect(confused).toEqual([]);
  });
});
