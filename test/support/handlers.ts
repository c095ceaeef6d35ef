import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { parseSync } from 'oxc-parser';
import { childrenOf, type SyntaxNode } from '../../tools/mutate/mutants.ts';

/** What the handlers of routes reach below them, read from the source. */

export interface Handler {
  /** 'worker/routes/orders.ts' */
  file: string;
  /** 'POST /order/create' */
  route: string;
  /** Each function of a model, gateway or service that it calls, itself or by its file's own, as 'models/orders/orders.ts orderOf'. */
  calls: string[];
}

type Node = SyntaxNode & { name?: string; value?: unknown };

const VERBS = new Set(['get', 'post', 'put', 'patch', 'delete', 'on']);
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

const nodeAt = (node: SyntaxNode, key: string) => node[key] as Node | undefined;

/** Functions that the file imports from models, gateways and services, by their name in the file. */
function beneath(file: string, body: readonly SyntaxNode[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of body) {
    if (statement.type !== 'ImportDeclaration' || statement.importKind === 'type') continue;
    const source = nodeAt(statement, 'source')?.value as string;
    const target = normalize(join(dirname(file), source));
    if (!/^worker\/(models|gateways|services)\//.test(target)) continue;
    for (const specifier of statement.specifiers as SyntaxNode[])
      if (specifier.importKind !== 'type')
        found.set(
          nodeAt(specifier, 'local')?.name ?? '',
          `${target.slice('worker/'.length)} ${nodeAt(specifier, 'imported')?.name}`,
        );
  }
  return found;
}

/** The file's own functions at its top, by name. */
function ownFunctions(body: readonly SyntaxNode[]): Map<string, SyntaxNode> {
  const own = new Map<string, SyntaxNode>();
  for (const statement of body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? nodeAt(statement, 'declaration') : statement;
    if (declared?.type === 'FunctionDeclaration') own.set(nodeAt(declared, 'id')?.name ?? '', declared);
    if (declared?.type === 'VariableDeclaration')
      for (const each of declared.declarations as SyntaxNode[]) {
        const init = nodeAt(each, 'init');
        if (init && FUNCTIONS.has(init.type)) own.set(nodeAt(each, 'id')?.name ?? '', init);
      }
  }
  return own;
}

/** Every handler of a route file with what it calls below. */
export function handlersOf(root: string, file: string): Handler[] {
  const text = readFileSync(join(root, file), 'utf8');
  const { program } = parseSync(file, text) as unknown as { program: { body: SyntaxNode[] } };
  const below = beneath(file, program.body);
  const own = ownFunctions(program.body);
  const reached = (node: SyntaxNode, seen: Set<string>, calls: Set<string>): void => {
    if (node.type === 'CallExpression') {
      const callee = nodeAt(node, 'callee');
      if (callee?.type === 'Identifier') {
        const name = callee.name ?? '';
        const target = below.get(name);
        if (target) calls.add(target);
        const local = own.get(name);
        if (local && !seen.has(name)) reached(local, seen.add(name), calls);
      }
    }
    for (const child of childrenOf(node)) reached(child, seen, calls);
  };
  const handlers: Handler[] = [];
  const look = (node: SyntaxNode): void => {
    const callee = node.type === 'CallExpression' ? nodeAt(node, 'callee') : undefined;
    const verb = callee?.type === 'MemberExpression' ? (nodeAt(callee, 'property')?.name ?? '') : '';
    const [path, ...rest] = (node.arguments as Node[] | undefined) ?? [];
    const handler = rest.at(-1);
    if (VERBS.has(verb) && path && handler && FUNCTIONS.has(handler.type)) {
      const calls = new Set<string>();
      reached(handler, new Set(), calls);
      handlers.push({ file, route: `${verb.toUpperCase()} ${text.slice(path.start, path.end)}`, calls: [...calls] });
    }
    childrenOf(node).forEach(look);
  };
  program.body.forEach(look);
  return handlers;
}
