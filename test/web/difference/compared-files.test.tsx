import '../page.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ComparedFiles } from '../../../web/components/difference/compared-files.tsx';

test.each<[boolean, string[]]>([
  [true, ['csv', 'xlsx', 'png', 'text']],
  [false, ['csv', 'xlsx']],
])('files of scores are offered only if the comparison shows scores: %s', (scores, types) => {
  const html = renderToStaticMarkup(<ComparedFiles scores={scores} href={(type) => type} />);
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, type]) => type)).toEqual(types);
});
