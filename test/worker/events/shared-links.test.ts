import { expect, test } from 'vitest';
import { caller } from '../client.ts';
import { fighter, load, madeEvent, START } from './war.ts';

const visitor = caller();
const head = async (path: string) => {
  const response = await visitor.fetch(path);
  return { status: response.status, html: await response.text() };
};

test('a shared link shows the event, and a picture that changes with it', async () => {
  const { admin, id } = await madeEvent({ name: 'Kau <b>', camps: [{ name: 'Fire', kingdoms: ['751'] }] });
  const { status, html } = await head(`/dashboards/${id}`);
  expect(status).toBe(200);
  expect(html).toContain('<title>Kau &lt;b&gt; · Muster</title>');
  const [, picture = ''] = /og:image" content="[^"]*?(\/v1\/cards\/[^"]+)"/.exec(html) ?? [];
  expect(picture).toContain(`/v1/cards/dashboard/${id}/2-0-`);
  const drawn = await visitor.fetch(picture);
  expect([drawn.status, drawn.headers.get('content-type')]).toEqual([200, 'image/png']);
  await load(admin, id, START, [fighter(1, 751, 5)]);
  expect((await visitor.fetch(picture)).status).toBe(404);
  expect((await head(`/cod-dashboards/${id}`)).html).toContain(`/v1/cards/dashboard/${id}/3-${START}-`);
});

test('an event that does not exist has no page', async () => {
  expect((await head('/dashboards/987654')).status).toBe(404);
});

test('two events of the same revision and time have different pictures', async () => {
  const pictures: string[] = [];
  for (const name of ['Fire', 'Water']) {
    const { id } = await madeEvent({ name, camps: [{ name, kingdoms: ['751'] }] });
    const [, picture = ''] =
      /og:image" content="[^"]*?(\/v1\/cards\/[^"]+)"/.exec((await head(`/dashboards/${id}`)).html) ?? [];
    pictures.push(Buffer.from(await (await visitor.fetch(picture)).arrayBuffer()).toString('base64'));
  }
  expect(pictures[0]).not.toBe(pictures[1]);
});
