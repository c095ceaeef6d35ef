import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { ROOT } from '../scripts/settings.ts';
import { childrenOf, type SyntaxNode } from '../tools/mutate/mutants.ts';

/** Each effect of a component ends what it starts. Otherwise it would go on after its screen is gone. */

/** Calls that start something → the calls that end it. */
const ENDS: Readonly<Record<string, string>> = {
  setInterval: 'clearInterval',
  setTimeout: 'clearTimeout',
  requestAnimationFrame: 'cancelAnimationFrame',
  addEventListener: 'removeEventListener',
  observe: 'disconnect',
  subscribe: 'unsubscribe',
  AbortController: 'abort',
  LiveOrders: 'end',
};
const EFFECTS = new Set(['useEffect', 'useLayoutEffect']);

const nameOf = (node: unknown): string => {
  const { name, property } = (node ?? {}) as { name?: string; property?: { name?: string } };
  return name ?? property?.name ?? '';
};

/** Returns what a piece of source calls or constructs, and what it only names. */
function calledIn(node: SyntaxNode): string[] {
  const own = node.type === 'CallExpression' || node.type === 'NewExpression' ? [nameOf(node.callee)] : [];
  return [...own, ...childrenOf(node).flatMap(calledIn)];
}

/** Returns the functions that an effect returns: its clean-up. */
function cleanUpOf(node: SyntaxNode, outer = true): SyntaxNode[] {
  if (node.type === 'ReturnStatement') return node.argument ? [node.argument as SyntaxNode] : [];
  if (!outer && /Function/.test(node.type)) return [];
  return childrenOf(node).flatMap((child) => cleanUpOf(child, false));
}

/** Returns the effects in a file, each with what it starts and does not end. */
function effectsIn(file: string): string[][] {
  const effects: string[][] = [];
  const walk = (node: SyntaxNode) => {
    if (node.type === 'CallExpression' && EFFECTS.has(nameOf(node.callee))) {
      const [effect] = node.arguments as SyntaxNode[];
      const started = effect ? new Set(calledIn(effect)) : new Set<string>();
      const ended = new Set(effect ? cleanUpOf(effect).flatMap(calledIn) : []);
      effects.push(
        Object.entries(ENDS).flatMap(([start, end]) =>
          started.has(start) && !ended.has(end) && !ended.has('abort') ? [`${file}: ${start}`] : [],
        ),
      );
    }
    for (const child of childrenOf(node)) walk(child);
  };
  walk(parseSync(file, readFileSync(join(ROOT, file), 'utf8')).program as unknown as SyntaxNode);
  return effects;
}

test('each effect ends the timers, listeners and sockets that it starts', () => {
  const effects = globSync('web/**/*.{ts,tsx}', { cwd: ROOT }).flatMap(effectsIn);
  expect(effects.length).toBeGreaterThan(40);
  expect(effects.flat()).toEqual([]);
});
