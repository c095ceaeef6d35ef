import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { ROOT } from '../scripts/settings.ts';
import { childrenOf, type SyntaxNode } from '../tools/mutate/mutants.ts';

/** Each argument of a query is part of its key. Otherwise a page would show the answer to another question. */

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration']);

/** Returns the names in a piece of source: of parameters, or of what an expression reads. */
function namesIn(node: SyntaxNode): string[] {
  if (node.type === 'Identifier') return [String(node.name)];
  // `{ id: name }` and `one.id` say `id` as a key, not as a name.
  const children = childrenOf(node).filter(
    (child) =>
      child !== node.typeAnnotation &&
      (node.computed || (child !== node.property && (node.shorthand || child !== node.key))),
  );
  return children.flatMap(namesIn);
}

/** Returns the parameters that a query's function reads and its key lacks, for each query in a file. */
function missingIn(file: string): { queries: number; missing: string[] } {
  let queries = 0;
  const missing: string[] = [];
  const walk = (node: SyntaxNode, params: readonly string[]) => {
    const known = FUNCTIONS.has(node.type) ? [...params, ...(node.params as SyntaxNode[]).flatMap(namesIn)] : params;
    const properties = node.type === 'ObjectExpression' ? (node.properties as SyntaxNode[]) : [];
    const propertyOf = (name: string) =>
      properties.find(({ key }) => (key as { name?: string } | undefined)?.name === name)?.value as
        | SyntaxNode
        | undefined;
    const [key, read] = [propertyOf('queryKey'), propertyOf('queryFn')];
    if (key && read) {
      queries++;
      const inKey = new Set(namesIn(key));
      const lacking = known.filter((name) => namesIn(read).includes(name) && !inKey.has(name));
      missing.push(...lacking.map((name) => `${file}: ${name}`));
    }
    for (const child of childrenOf(node)) walk(child, known);
  };
  walk(parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program as unknown as SyntaxNode, []);
  return { queries, missing };
}

test('each parameter that a query reads is in its key', () => {
  const found = globSync('web/api/*.ts', { cwd: ROOT }).map(missingIn);
  expect(found.reduce((sum, { queries }) => sum + queries, 0)).toBeGreaterThan(60);
  expect(found.flatMap(({ missing }) => missing)).toEqual([]);
});
