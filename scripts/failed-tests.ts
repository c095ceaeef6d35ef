import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/** Writes a run's failed tests and their errors to the file that `FAILED_TESTS` names. */

/** Returns an error's message, its difference and the lines of our own files in its stack, indented. */
function lines({ message, diff, stack = '' }: SerializedError): string {
  const ours = stack.split('\n').filter((line) => /^ +at /.test(line) && !/node_modules|node:|<anonymous>/.test(line));
  const text = [message, diff, ...ours].filter(Boolean).join('\n');
  return stripVTControlCharacters(text).replaceAll(/^/gm, '  ');
}

const told = (what: string, errors: readonly SerializedError[]): string =>
  [`FAILED ${what}`, ...errors.map(lines)].join('\n');

function* failuresOf(module: TestModule): Generator<string> {
  const file = `[${module.project.name}] ${module.relativeModuleId}`;
  if (module.errors().length > 0) yield told(file, module.errors());
  for (const suite of module.children.allSuites())
    if (suite.errors().length > 0) yield told(`${file} > ${suite.fullName}`, suite.errors());
  for (const test of module.children.allTests('failed'))
    yield told(`${file} > ${test.fullName}`, test.result().errors ?? []);
}

export default class FailedTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap((module) => [...failuresOf(module)]),
      ...(unhandled.length > 0 ? [told('outside of tests', unhandled)] : []),
    ];
    writeFileSync(String(process.env.FAILED_TESTS), failures.map((text) => `${text}\n\n`).join(''));
  }
}
