import { resolve } from 'node:path';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { expect, inject, test } from 'vitest';

test('the API’s description passes Redocly’s lint without a warning', async () => {
  const config = await loadConfig({ configPath: resolve(import.meta.dirname, '../../redocly.yaml') });
  const text = await (await fetch(`${inject('address')}/v1/openapi.json`)).text();
  const problems = await lintFromString({ source: text, config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`)).toEqual([]);
  // The lint can fail: a description without operation ids has warnings.
  const worse = text.replaceAll(/"operationId":"\w+",/g, '');
  const found = await lintFromString({ source: worse, config });
  expect(found.some(({ ruleId }) => ruleId === 'operation-operationId')).toBe(true);
});
