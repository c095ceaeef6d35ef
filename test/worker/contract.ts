import type { Ajv2020 as Ajv, ErrorObject, ValidateFunction } from 'ajv/dist/2020';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { app } from '../../worker/app.ts';
import { REFUSAL } from '../../worker/openapi/copy.ts';
import { callsOf, describeCall } from '../../worker/openapi/describe.ts';

/** Validates requests and answers against the API description with Ajv, as other people's tools do. */

type Schema = Record<string, unknown>;
type Content = Record<string, { schema: Schema; example?: unknown }>;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

export interface Operation {
  parameters: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

/** Compiled once per test run: the description does not change, and a schema takes some milliseconds to compile. */
interface Kept {
  ajv: Ajv;
  coercing: Ajv;
  compiled: Map<string, ValidateFunction>;
  operations: Map<string, Operation>;
}

let held: Kept | undefined;

function kept(): Kept {
  if (!held) {
    const options = { strict: true, strictTypes: false, allowUnionTypes: true } as const;
    const [ajv, coercing] = [new Ajv2020(options), new Ajv2020({ ...options, coerceTypes: true })];
    for (const each of [ajv, coercing]) {
      addFormats.default(each);
      each.addFormat('binary', true);
    }
    const operations = new Map(
      callsOf(app.routes).map((call) => [`${call.method} ${call.path}`, describeCall(call) as unknown as Operation]),
    );
    held = { ajv, coercing, compiled: new Map(), operations };
  }
  return held;
}

const sentence = ({ instancePath, message, params }: ErrorObject): string => {
  const where = instancePath.replace(/\/\d+(?=\/|$)/g, '/*') || '/';
  const name = params.additionalProperty ?? params.unevaluatedProperty ?? '';
  return `${where} ${message}${name ? ` '${name}'` : ''}`;
};

/** Returns how a value differs from its schema. `name` is the compiled schema's cache key. */
export function flawsIn(name: string, schema: Schema, value: unknown, { coerce = false } = {}): string[] {
  const { ajv, coercing, compiled } = kept();
  let validate = compiled.get(name);
  if (!validate) {
    validate = (coerce ? coercing : ajv).compile(schema);
    compiled.set(name, validate);
  }
  return validate(value) ? [] : (validate.errors ?? []).slice(0, 3).map(sentence);
}

/** Returns the description of a route's call: 'GET /v1/order/:id'. */
export const operationOf = (name: string): Operation | undefined => kept().operations.get(name);

/** All calls of the API with their descriptions. */
export const operations = (): ReadonlyMap<string, Operation> => kept().operations;

const typeOf = (headers: Headers): string => headers.get('content-type')?.split(';')[0] ?? '';

/** Returns how an answer differs from its route's description. `body` is read as JSON. */
export async function flawsOfAnswer(
  name: string,
  { status, headers }: Response,
  body: () => Promise<unknown>,
): Promise<string[]> {
  if (status >= 400) return flawsIn('refusal', REFUSAL, await body()).map((flaw) => `${status}: ${flaw}`);
  // A 304 has no body.
  if (status === 304) return [];
  const described = operationOf(name)?.responses[status];
  if (!described) return [`answers ${status}, which is not described`];
  if (!described.content) return [];
  const type = typeOf(headers);
  const content = described.content[type];
  if (!content) return [`is ${type || 'of no type'}, which is not described`];
  // A byte range of JSON is not JSON.
  if (status === 206) return [];
  return type === 'application/json' ? flawsIn(`${name} ${status}`, content.schema, await body()) : [];
}

/** Returns what the description would refuse in a request that the service accepted. */
export function flawsOfRequest(
  name: string,
  request: Request,
  params: Record<string, string>,
  body: unknown,
): string[] {
  const operation = operationOf(name);
  if (!operation) return [];
  const { searchParams } = new URL(request.url);
  const sent = { path: params, query: Object.fromEntries(searchParams), header: {} };
  const flaws = operation.parameters.flatMap((parameter) => {
    // An empty form field counts as missing.
    const value = (sent[parameter.in] as Record<string, string>)[parameter.name] || undefined;
    if (value === undefined) return parameter.required ? [`lacks ${parameter.name}`] : [];
    const schema = { type: 'object', properties: { value: parameter.schema } };
    return flawsIn(`${name} ${parameter.in} ${parameter.name}`, schema, { value }, { coerce: true });
  });
  const content = operation.requestBody?.content;
  const json = content?.['application/json'];
  if (json && body !== undefined) flaws.push(...flawsIn(`${name} body`, json.schema, body));
  return flaws.map((flaw) => `sent: ${flaw}`);
}
