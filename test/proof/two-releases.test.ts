import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser, openPage, signIn } from '../support/browser.ts';
import { balanceOf, ended, newUser, order, waitFor } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';
import { untilShown } from '../support/until-shown.ts';
import { checkOutBefore, commitBefore, type ReleaseBefore } from './release-before.ts';

/**
 * Two releases at once, as during a deployment and after a rollback: the release before the newest migration works on
 * the migrated database, and pages of either release stand a server of the other.
 */

const MINUTES = 60_000;

let before: ReleaseBefore;
beforeAll(() => {
  if (commitBefore()) before = checkOutBefore();
}, 5 * MINUTES);
afterAll(() => before?.remove());

interface TestFile {
  name: string;
  status: string;
  assertionResults: { fullName: string; status: string }[];
}

/** Runs tests of the Worker of the release before; returns how many passed, and which failed in which file. */
function ownTests(files: readonly string[]): { passed: number; failed: Map<string, string> } {
  const folder = mkdtempSync(join(tmpdir(), 'muster-own-tests-'));
  const report = join(folder, 'report.json');
  const args = ['run', '--project', 'worker', '--reporter=json', `--outputFile=${report}`, ...files];
  // Without the variables of the proofs and of this run's Vitest.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PROOFS|VITEST.*|NODE_ENV|TEST)$/.test(name)),
  );
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
    cwd: before.folder,
    stdio: 'ignore',
    env,
  });
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as { testResults: TestFile[] };
  rmSync(folder, { recursive: true });
  const all = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(before.folder, name);
    // A file that could not be loaded has no tests.
    const tests = assertionResults.length > 0 ? assertionResults : [{ fullName: file, status }];
    return tests.map((each) => ({ ...each, file }));
  });
  return {
    passed: all.filter(({ status }) => status === 'passed').length,
    failed: new Map(all.filter(({ status }) => status === 'failed').map(({ fullName, file }) => [fullName, file])),
  };
}

/** Runs the files of failed tests again. Returns which of them failed again. */
function failAgain(earlier: ReadonlyMap<string, string>): Map<string, string> {
  if (earlier.size === 0) return new Map();
  const { failed } = ownTests([...new Set(earlier.values())]);
  return new Map([...failed].filter(([name]) => earlier.has(name)));
}

// Takes as long as that release's own suite: some five minutes on two cores, twenty if others use them too.
test.skipIf(!commitBefore())(
  'the tests of the release before pass on the migrated database as on its own',
  () => {
    before.migrations('newest');
    const began = Date.now();
    const all = ownTests([]);
    const took = Math.round((Date.now() - began) / 1000);
    process.stdout.write(
      `  ${all.passed} tests of the release before passed, ${all.failed.size} failed, in ${took} s\n`,
    );
    // A busy machine fails some by their time limit, so they have a second try.
    const failed = failAgain(all.failed);
    before.migrations('own');
    expect(all.passed).toBeGreaterThan(1000);
    // What fails on its own database too is not due to the migration.
    const anyway = failAgain(failed);
    expect([...failed.keys()].filter((name) => !anyway.has(name))).toEqual([]);
  },
  60 * MINUTES,
);

const CRASHED = 'Unexpected Application Error!';

describe.skipIf(!commitBefore())('a page and a server of two releases', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    before.migrations('own');
    service = await startService({ READY_PRODUCTS: 'rok-kingdom-scan' }, before.folder);
    browser = await launchBrowser();
  }, 5 * MINUTES);
  afterAll(async () => {
    await browser?.close();
    await service?.remove();
  });

  /** Continues with a server of the other release, on the same database. */
  async function replaceBy(root?: string): Promise<void> {
    await service.stop();
    await service.start(root);
  }

  /** Opens screens by the links of a page that stays; returns how many, and those that crashed. */
  async function walk(page: Page): Promise<{ opened: number; crashed: string[] }> {
    const crashed: string[] = [];
    let opened = 0;
    const paths = await page
      .locator('a[href^="/"]:not([href="/logout"])')
      .evaluateAll((links) => [...new Set(links.map((link) => link.getAttribute('href') ?? ''))]);
    for (const path of paths.slice(0, 25)) {
      // The router follows it as it follows a link.
      const link = page.locator(`a[href="${path}"]`).first();
      if (!(await link.isVisible())) continue;
      await link.click();
      await untilShown(page);
      opened++;
      if ((await page.getByText(CRASHED).count()) > 0) crashed.push(path);
    }
    return { opened, crashed };
  }

  async function signedInPage() {
    const opened = await openPage(browser, service.address);
    await opened.page.goto('/login');
    await signIn(opened.page);
    await opened.page.waitForURL(/\/dashboard/);
    await untilShown(opened.page);
    return opened;
  }

  test.each<[string, () => string | undefined]>([
    ['an old page goes on with a new server', () => undefined],
    ['a new page goes on with an old server, or says that it has to be loaded again', () => before.folder],
  ])(
    '%s',
    async (_, root) => {
      const { page, context, errors } = await signedInPage();
      await walk(page);
      await replaceBy(root());
      const { opened, crashed } = await walk(page);
      expect(opened).toBeGreaterThan(4);
      expect([crashed, errors]).toEqual([[], []]);
      await context.close();
    },
    10 * MINUTES,
  );

  test(
    'the old server takes, delivers and charges orders on the migrated database',
    async () => {
      const { client } = await newUser(service.address, 5);
      const orderId = await order(client, 'rok', [1005], 100);
      await waitFor(client, orderId, ended);
      expect(await balanceOf(client)).toBe(4.5);
      expect(await service.verify()).toEqual([]);
    },
    10 * MINUTES,
  );
});
