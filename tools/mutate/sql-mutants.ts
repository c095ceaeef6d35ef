/** Mutations of a query's text. */

/** Half-open range of the query's text that is replaced. */
interface SqlChange {
  start: number;
  end: number;
  replacement: string;
  operator: string;
}

const WORDS: readonly [RegExp, string, string][] = [
  [/\bDESC\b/g, 'ASC', 'order turned'],
  [/\bmax\(/g, 'min(', 'max for min'],
  [/\bmin\(/g, 'max(', 'min for max'],
  [/\bOR IGNORE\b/g, '', 'conflict no longer ignored'],
  [/\sON CONFLICT (?:\([^()]*\) )?DO NOTHING\b/g, ' ', 'conflict no longer ignored'],
  [/\bIS NULL\b/g, 'IS NOT NULL', 'null turned'],
  [/\bIS NOT NULL\b/g, 'IS NULL', 'null turned'],
  [/(?<![-=<>])<=(?!>)/g, '<', 'bound by one'],
  [/(?<![-=<>])>=/g, '>', 'bound by one'],
  [/(?<![-=<>])<(?![=<>])/g, '<=', 'bound by one'],
  [/(?<![-=<>])>(?![=>])/g, '>=', 'bound by one'],
];
const ORDER = /\sORDER BY\s(?:[^()`]|\([^()]*\))*?(?=\)|\sLIMIT\s|\sROWS\s|\s*$)/g;
const LOOKS_LIKE_SQL = /\b(SELECT|UPDATE|INSERT|DELETE FROM|WHERE|ORDER BY|IS NULL|IS NOT NULL)\b|\sAND\s/;

const TOKENS = /'[^']*'|"[^"]*"|--[^\n]*|[A-Za-z_][\w.]*|[(),]|[^\s\w(),'"]+|\d+/g;
/** Words before a condition, and words that end one. */
const OPENING = new Set(['WHERE', 'ON', 'WHEN', 'HAVING']);
const CLOSING = new Set([
  ...['ORDER', 'GROUP', 'LIMIT', 'RETURNING', 'UNION', 'SET', 'JOIN', 'LEFT', 'INNER', 'CROSS', 'THEN', 'ELSE'],
  ...['VALUES', 'DO', 'SELECT', 'FROM', 'WHERE', 'ON', 'WHEN', 'HAVING', 'AS', 'ROWS', 'WINDOW', 'PARTITION'],
]);

/** A parenthesis or a CASE, with its unfinished condition. */
interface Frame {
  /** Where a first condition without a keyword may start. `open` is the start of the current one. */
  from: number;
  open: number | null;
  /** The word before the current condition. */
  before: string;
  between: boolean;
  /** True once a clause has started; text before AND is then not a condition of its own. */
  isClause: boolean;
  /** A CASE that compares a value. */
  isValued: boolean;
}

const frame = (from: number): Frame => ({
  from,
  open: null,
  before: '',
  between: false,
  isClause: false,
  isValued: false,
});

/** Returns each condition of a query. `isChoice` is true if OR is next to it. */
function conditionsOf(text: string): { start: number; end: number; isChoice: boolean }[] {
  const found: { start: number; end: number; isChoice: boolean }[] = [];
  const stack = [frame(0)];
  const close = (top: Frame, end: number, after: string): void => {
    if (top.open !== null && text.slice(top.open, end).trim() !== '')
      found.push({ start: top.open, end, isChoice: top.before === 'OR' || after === 'OR' });
    top.open = null;
  };
  let last = '';
  for (const { 0: token, index } of text.matchAll(TOKENS)) {
    const top = stack.at(-1) as Frame;
    const after = index + token.length;
    // CASE with a value compares it; only a CASE without one contains conditions.
    if (token === '(' || token === 'CASE') stack.push(frame(after));
    else if (token === 'WHEN' && last !== 'CASE' && !top.isClause) top.isValued = true;
    else if (token === ')' || token === 'END') {
      close(top, index, token);
      if (stack.length > 1) stack.pop();
    } else if (token === 'BETWEEN') top.between = true;
    else if (token === 'AND' && top.between) top.between = false;
    else if (token === 'AND' || token === 'OR') {
      if (token === 'OR' && last === 'INSERT') continue;
      if (top.open === null && !top.isClause) top.open = top.from;
      close(top, index, token);
      [top.open, top.before] = [after, token];
    } else if (CLOSING.has(token)) {
      close(top, index, token);
      top.isClause = true;
      if (OPENING.has(token) && !(token === 'WHEN' && top.isValued)) [top.open, top.before] = [after, token];
    } else if (token === 'CONFLICT') top.open = null;
    last = token;
  }
  const [bottom] = stack;
  if (bottom) close(bottom, text.length, '');
  return found;
}

/** Removes the last sort key, which only breaks ties. */
function tieDropped(order: string): string | null {
  let depth = 0;
  let comma = -1;
  for (const [at, letter] of [...order].entries()) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) comma = at;
  }
  return comma < 0 ? null : order.slice(0, comma);
}

/** Returns the mutations of a query's text or a part of one; empty if the text is not SQL. */
export function sqlChangesOf(text: string): SqlChange[] {
  // Interpolations are blanked, so that no rule reads into them and positions stay.
  const blank = text.replace(/\$\{[^{}]*\}/g, (all) => `$${'_'.repeat(all.length - 1)}`);
  if (!LOOKS_LIKE_SQL.test(blank)) return [];
  // Conditions become true or false instead of being removed, so that bound values keep their positions.
  const conditions = conditionsOf(blank).map(({ start, end, isChoice }) => {
    const was = text.slice(start, end);
    const inner = was.trim();
    const replacement = was.replace(inner, () => (isChoice ? `((${inner}) AND 0)` : `(${inner} OR 1)`));
    return { start, end, replacement, operator: `SQL condition ${isChoice ? 'never' : 'always'} met` };
  });
  const orders = [...blank.matchAll(ORDER)].flatMap(({ 0: order, index: start }) => {
    const end = start + order.length;
    const kept = tieDropped(order);
    const dropped = { start, end, replacement: ' ', operator: 'SQL order dropped' };
    return kept === null
      ? [dropped]
      : [dropped, { start, end, replacement: text.slice(start, start + kept.length), operator: 'SQL tie dropped' }];
  });
  const words = WORDS.flatMap(([word, replacement, operator]) =>
    [...blank.matchAll(word)].map(({ 0: was, index: start }) => ({
      start,
      end: start + was.length,
      replacement,
      operator: `SQL ${operator}`,
    })),
  );
  return [...conditions, ...orders, ...words];
}
