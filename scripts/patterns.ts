import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { parseSync } from 'oxc-parser';
import { analyse } from 'scslre';

/**
 * `node scripts/patterns.ts`, part of `npm run lint`, checks that all regular expressions of the service run in linear
 * time. Each is analysed, and tried on repetitions of what it matches, because most receive untrusted texts.
 */

const FILES = '{domain,scan-files,worker,durable-objects,fleet,web}/**/*.{ts,tsx}';
/** Sample characters for the classes in patterns. */
const SAMPLES = [...'a0 -_.,:;/\\"\'=+()[]{}<>@#%&|*?!~^$`\n\tAxZ9é灯\u0000'];
/** Length of the test texts. Quadratic patterns take seconds there, linear ones less than a millisecond. */
const LENGTH = 30_000;
const MOST_MS = 100;
const TRIES = 3;

/** A pattern and its location. */
interface Found {
  place: string;
  source: string;
  flags: string;
}

/** Returns why a pattern takes more than linear time, or null. */
export function flawOf({ source, flags }: Pick<Found, 'source' | 'flags'>): string | null {
  const { reports } = analyse({ source, flags });
  if (reports.length > 0) return `repetitions that overlap (${reports.map(({ type }) => type).join(', ')})`;
  const pump = pumpsOf(source, flags).find((piece) => isSlow(new RegExp(source, flags), piece));
  return pump === undefined ? null : `slow on '${pump}' repeated`;
}

/** Returns whether the pattern is slow on repetitions of a text, in each of three tries. */
function isSlow(pattern: RegExp, piece: string): boolean {
  const text = `${piece.repeat(Math.ceil(LENGTH / piece.length))}\u0001`;
  for (let tries = 0; tries < TRIES; tries++) {
    const { user } = process.cpuUsage();
    text.replace(pattern, '');
    if (process.cpuUsage().user - user < MOST_MS * 1000) return false;
  }
  return true;
}

/** Returns texts that parts of a pattern match. Repeating them makes the pattern look at the same characters again. */
function pumpsOf(source: string, flags: string): string[] {
  const unicode = flags.includes('u');
  const tree = new RegExpParser().parsePattern(source, undefined, undefined, { unicode });
  const pumps = new Set<string>();
  visitRegExpAST(tree, {
    onAlternativeEnter({ elements }) {
      const parts = elements.map((element) => sampleOf(element, flags));
      for (let from = 0; from < parts.length; from++)
        for (let to = from + 1; to <= Math.min(parts.length, from + 6); to++) pumps.add(parts.slice(from, to).join(''));
    },
  });
  return [...pumps].filter((pump) => pump !== '');
}

function sampleOf(element: AST.Element, flags: string): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterSet':
    case 'CharacterClass': {
      const one = new RegExp(`^${element.raw}$`, flags.replace(/[gy]/g, ''));
      return SAMPLES.find((character) => one.test(character)) ?? '';
    }
    case 'Quantifier':
      return sampleOf(element.element, flags).repeat(Math.max(1, Math.min(element.min, 8)));
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? []).map((inner) => sampleOf(inner, flags)).join('');
    default:
      return '';
  }
}

type Node = { type?: string; start?: number; regex?: { pattern: string; flags: string }; callee?: { name?: string } };

function walk(node: unknown, onNode: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, onNode);
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) onNode(node as Node);
    for (const value of Object.values(node)) walk(value, onNode);
  }
}

/** Returns the literal patterns in a source, and the locations that construct patterns from strings. */
export function patternsOf(file: string, text: string): { written: Found[]; made: string[] } {
  const written: Found[] = [];
  const made: string[] = [];
  const placeOf = (start = 0) => `${file}:${text.slice(0, start).split('\n').length}`;
  walk(parseSync(file, text).program, ({ type, start, regex, callee }) => {
    if (regex) written.push({ place: placeOf(start), source: regex.pattern, flags: regex.flags });
    if (type === 'NewExpression' && callee?.name === 'RegExp') made.push(placeOf(start));
  });
  return { written, made };
}

/** Loads modules and records the patterns that they construct from strings, with their locations. */
async function madeBy(files: readonly string[]): Promise<Found[]> {
  const Real = RegExp;
  const found: Found[] = [];
  globalThis.RegExp = new Proxy(Real, {
    construct(target, args, type) {
      const pattern = Reflect.construct(target, args, type) as RegExp;
      const place = new Error().stack?.split('\n').find((line) => files.some((file) => line.includes(`/${file}:`)));
      const [, file = '', line = ''] =
        /\/((?:domain|scan-files|worker|durable-objects|fleet|web)\/\S{1,300}):(\d+):\d+\)?$/.exec(place ?? '') ?? [];
      if (file) found.push({ place: `${file}:${line}`, source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  for (const file of files) await import(pathToFileURL(resolve(file)).href);
  globalThis.RegExp = Real;
  return found;
}

if (import.meta.main) {
  const sources = globSync(FILES).map((file) => patternsOf(file.replaceAll('\\', '/'), readFileSync(file, 'utf8')));
  const places = sources.flatMap(({ made }) => made);
  const made = await madeBy([...new Set(places.map((place) => place.replace(/:\d+$/, '')))]);
  const unseen = places.filter((place) => !made.some((found) => found.place === place));
  const flaws = [...sources.flatMap(({ written }) => written), ...made].flatMap((found) => {
    const flaw = flawOf(found);
    return flaw ? [`${found.place} /${found.source}/${found.flags}: ${flaw}`] : [];
  });
  for (const place of unseen)
    console.error(`${place} constructs a pattern at run time: move it to the top of its file.`);
  for (const flaw of flaws) console.error(flaw);
  process.exitCode = unseen.length + flaws.length > 0 ? 1 : 0;
}
