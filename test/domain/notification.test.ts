import { expect, it } from 'vitest';
import { finishedText } from '../../domain/accounts/finished-order.ts';
import { escapeDiscord, finishedDiscord } from '../../domain/accounts/webhooks.ts';

const order = (flaw: string | null, items = 1) => ({
  order_id: 7,
  item_count: items,
  done_count: flaw === null ? items : 0,
  items: [{ name: 'kingdom 1001', flaw }],
  address: 'https://muster.example/orders',
});

it('a text in a Discord message is shown unformatted', () => {
  expect(escapeDiscord('@here\n> *a* _b_ ~~c~~ `d` ||e|| # f <@1> [g](h)')).toBe(
    String.raw`\@here \> \*a\* \_b\_ \~\~c\~\~ \`d\` \|\|e\|\| \# f \<\@1\> \[g\]\(h\)`,
  );
  expect(escapeDiscord('静かな提灯 1001')).toBe('静かな提灯 1001');
});

it('a message fits Discord and keeps its link, however long a reason is', () => {
  const text = finishedDiscord(order('*'.repeat(3000)));
  expect(text.length).toBeLessThanOrEqual(2000);
  expect(text).toMatch(/\*\nhttps:\/\/muster\.example\/orders$/);
});

it('a cut message keeps whole characters, wherever the cut falls', () => {
  for (let length = 0; length < 40; length++) {
    const text = finishedDiscord(order('a'.repeat(length) + '🏰'.repeat(1500)));
    expect(text.isWellFormed()).toBe(true);
    expect(text.length).toBeGreaterThanOrEqual(1999);
    expect(text.length).toBeLessThanOrEqual(2000);
  }
});

it('says how many scans have results', () => {
  expect(finishedText(order(null))).toContain('The scan has results.');
  expect(finishedText(order('The game was down.'))).toContain('kingdom 1001: The game was down.');
  expect(finishedText(order(null, 12))).toContain('12 of 12 scans have results.');
  expect(finishedText(order(null, 12))).toContain('and 11 more');
});
