/** Reads literal texts in expressions of the source. */

/** A node of the syntax tree, with the parts that lead to texts. */
export interface Expression {
  type: string;
  value?: unknown;
  quasis?: readonly { value: { cooked: string | null } }[];
  expression?: Expression | null;
  consequent?: Expression | null;
  alternate?: Expression | null;
  left?: Expression | null;
  right?: Expression | null;
}

/** Returns the expressions that an expression may be: both sides of `a ? b : c`, `a || b` and the like. */
export function choicesOf(node: Expression | null | undefined): Expression[] {
  if (!node) return [];
  if (node.type === 'JSXExpressionContainer') return choicesOf(node.expression);
  if (node.type === 'ConditionalExpression') return [...choicesOf(node.consequent), ...choicesOf(node.alternate)];
  if (node.type === 'LogicalExpression') return [...choicesOf(node.left), ...choicesOf(node.right)];
  return [node];
}

/** Returns the pieces of a literal: one for a string or a template without values, more for one with values. */
const partsOf = ({ type, value, quasis = [] }: Expression): string[] => {
  if (type === 'TemplateLiteral') return quasis.map((quasi) => quasi.value.cooked ?? '');
  return type === 'Literal' && typeof value === 'string' ? [value] : [];
};

/** Returns the literal texts that an expression may be, without templates that have values. */
export const textsOf = (node: unknown): string[] =>
  choicesOf(node as Expression).flatMap((choice) => {
    const parts = partsOf(choice);
    return parts.length === 1 ? parts : [];
  });

/** Returns the only literal text that an expression may be; null if there is none, or several. */
export const textOf = (node: unknown): string | null => {
  const [text = null, ...others] = textsOf(node);
  return others.length === 0 ? text : null;
};

/** Returns all pieces of literal texts that an expression may show. */
export const piecesOf = (node: unknown): string[] => choicesOf(node as Expression).flatMap(partsOf);
