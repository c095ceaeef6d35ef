import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { listed, message, t, words } from '../../domain/language/text.ts';
import { type Operation, openApiQuery } from '../api/openapi.ts';
import { canTry } from '../api/try-call.ts';
import { typeWords } from '../api/type-words.ts';
import { Loaded } from '../components/loaded.tsx';
import { Page } from '../components/page.tsx';
import { Panel } from '../components/panel.tsx';
import { TryCall } from '../components/try-call.tsx';
import { capital } from '../format.ts';
import { TextField } from '../ui/field.tsx';
import { T } from '../ui/text.tsx';
import styles from './api-docs.module.css';

export const Route = createFileRoute('/api-docs')({
  loader: ({ context }) => {
    void context.client.prefetchQuery(openApiQuery);
  },
  component: ApiDocs,
});

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** Groups API calls by their first noun, without fleet and admin calls, which are documented elsewhere. */
function callsByNoun(paths: Record<string, Record<string, Operation>>): [string, Call[]][] {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const operation = methods[method];
      return operation ? [{ method: method.toUpperCase(), path, operation }] : [];
    }),
  );
  const shown = calls.filter(({ path }) => !/^\/v1\/(fleet|admin)\//.test(path));
  return [...Map.groupBy(shown, ({ operation }) => operation.tags[0] ?? '')].sort(([a], [b]) => a.localeCompare(b));
}

function ApiDocs() {
  const description = useQuery(openApiQuery);
  const [userKey, setUserKey] = useState('');
  return (
    <Page
      title={t('API')}
      about={
        <T
          of="Use everything on these pages from your own programs. Make a key under <link>My Account</link>. Start with the <recipes>recipes</recipes>. For tools: <link2>OpenAPI description</link2>."
          recipes={(text) => <Link to="/recipes">{text}</Link>}
          link={(text) => <Link to="/account/keys">{text}</Link>}
          link2={(text) => <a href="/v1/openapi.json">{text}</a>}
        />
      }
    >
      <Examples origin={location.origin} />
      <Panel title={t('Your key')} about={t('For the forms below, which make calls that only read.')}>
        <TextField
          label={t('API key')}
          type="password"
          value={userKey}
          autoComplete="off"
          spellCheck={false}
          help={t('The key stays in this page until you leave it. It is sent to this site only.')}
          onChange={({ target }) => setUserKey(target.value.trim())}
        />
      </Panel>
      <Loaded query={description} what={t('the calls')} heights={['30rem']}>
        {({ paths }) =>
          callsByNoun(paths).map(([noun, calls]) => (
            <Panel key={noun} title={capital(noun)}>
              <ul className={styles.calls}>
                {calls.map((call) => (
                  <CallLine key={`${call.method} ${call.path}`} call={call} userKey={userKey} />
                ))}
              </ul>
            </Panel>
          ))
        }
      </Loaded>
    </Page>
  );
}

const EXAMPLES: readonly { title: string; command: (origin: string) => string }[] = [
  {
    title: message('List your orders'),
    command: (origin) => `curl -H "Authorization: Bearer $MUSTER_KEY" ${origin}/v1/orders/`,
  },
  {
    title: message('Order the top 300 of kingdom 1001 (scope: order)'),
    command: (origin) => `curl -H "Authorization: Bearer $MUSTER_KEY" -H "Content-Type: application/json" \\
  -H "Idempotency-Key: my-order-1" ${origin}/v1/order/create \\
  -d '{"orders":[{"type":"rok-kingdom-scan","price":1.5,
       "params":{"kingdoms":["1001"],"governors":300,"full_profile":true}}]}'`,
  },
  {
    title: message('Wait for it: with the order_uuid of the answer above, until is_done_loading is true'),
    command: (origin) => `curl -H "Authorization: Bearer $MUSTER_KEY" ${origin}/v1/order/$ORDER_UUID`,
  },
  {
    title: message('Download its results'),
    command: (origin) =>
      `curl -H "Authorization: Bearer $MUSTER_KEY" -o results.csv \\\n  "${origin}/v1/order/$ORDER_UUID/download?type=csv"`,
  },
];

const Examples = ({ origin }: { origin: string }) => (
  <Panel title={t('Try it')} about={t('With your key in MUSTER_KEY.')}>
    {EXAMPLES.map(({ title, command }) => (
      <figure key={title} className={styles.example}>
        <figcaption>{words(title)}</figcaption>
        <pre className={styles.code}>{command(origin)}</pre>
      </figure>
    ))}
    <p>
      <T
        of="Every answer is {code}, or {code2} with a matching status. An order sent twice with one Idempotency-Key is placed once."
        code={<code translate="no">{'{ "success": 1, "data": … }'}</code>}
        code2={<code translate="no">{'{ "success": 0, "msg": "…" }'}</code>}
      />
    </p>
  </Panel>
);

/** A JSON value under its title; `folded` shows it only when the title is pressed. */
function Json({ title, value, folded = false }: { title: string; value: unknown; folded?: boolean }) {
  const code = <pre className={styles.code}>{JSON.stringify(value, null, 2)}</pre>;
  return folded ? (
    <details>
      <summary className={styles.fold}>{title}</summary>
      {code}
    </details>
  ) : (
    <figure className={styles.example}>
      <figcaption>{words(title)}</figcaption>
      {code}
    </figure>
  );
}

function accessOf({ security }: Operation): string {
  const scope = security.find((way) => way.key)?.key?.[0];
  if (scope) return `key: ${scope}`;
  return security.length > 0 ? 'session' : 'public';
}

function CallLine({ call: { method, path, operation }, userKey }: { call: Call; userKey: string }) {
  const types = Object.keys(operation.requestBody?.content ?? {});
  const body = types.length === 1 ? operation.requestBody?.content['application/json'] : undefined;
  const { description, content } = operation.responses[200];
  const answer = content?.['application/json']?.example;
  const tries = canTry(method, operation);
  const details = types.length > 0 || operation.parameters.length > 0 || tries;
  const head = (
    <>
      <span className={styles.method} data-method={method}>
        {method}
      </span>
      <code className={styles.path}>{path}</code>
      <span className={styles.access}>{accessOf(operation)}</span>
      <span className={styles.summary}>{operation.summary}</span>
    </>
  );
  if (!details) return <li className={styles.call}>{head}</li>;
  return (
    <li>
      <details>
        <summary className={styles.call}>{head}</summary>
        <div className={styles.details}>
          {operation.parameters.length > 0 && (
            <dl className={styles.parameters}>
              {operation.parameters.map(({ name, in: where, required, description, schema }) => (
                <div key={name}>
                  <dt>
                    <code>{name}</code> {where === 'path' || required ? '' : t('(optional)')}
                  </dt>
                  <dd>
                    {description && <p>{description}</p>}
                    {typeWords(schema)}
                  </dd>
                </div>
              ))}
            </dl>
          )}
          {!body && types.length > 0 && (
            <p>
              <T of="Body: {types}" types={listed(types)} />
            </p>
          )}
          {body && <Json title={t('Body, for example')} value={body.example} />}
          {body && <Json title={t('All fields of the body')} value={body.schema} folded />}
          <p>
            <T of="Answer: {description}" description={description} />
          </p>
          {answer !== undefined && <Json title={t('Answer, for example')} value={answer} folded />}
          {tries && <TryCall path={path} operation={operation} userKey={userKey} />}
        </div>
      </details>
    </li>
  );
}
