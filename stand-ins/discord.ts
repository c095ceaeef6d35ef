/**
 * A stand-in for Discord's webhooks in tests. It stores the messages it receives and returns them at `/received/<id>`.
 * The start of a webhook's token selects its answer.
 */
export class DiscordStandIn {
  private readonly received = new Map<string, unknown[]>();

  async fetch(request: Request): Promise<Response> {
    const { host, pathname } = new URL(request.url);
    const [, id = ''] = /^\/received\/(\w+)$/.exec(pathname) ?? [];
    if (id) return Response.json(this.received.get(id) ?? []);
    const [, webhook = 'elsewhere', token = ''] = /^\/api\/webhooks\/(\d+)\/([\w-]+)$/.exec(pathname) ?? [];
    const key = host === 'discord.test' ? webhook : 'elsewhere';
    this.received.set(key, [...(this.received.get(key) ?? []), await request.json().catch(() => null)]);
    if (token.startsWith('gone')) return Response.json({ code: 10015, message: 'Unknown Webhook' }, { status: 404 });
    if (token.startsWith('busy')) return Response.json({ retry_after: 1 }, { status: 429 });
    if (token.startsWith('moved'))
      return new Response(null, { status: 307, headers: { location: 'http://elsewhere.test/' } });
    return Response.json({ id: '1' });
  }
}
