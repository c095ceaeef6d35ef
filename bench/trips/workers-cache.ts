/**
 * Replaces Workers Cache, which Miniflare lacks, by the rules of its documentation: keyed by path, query and the
 * headers that `Vary` names; never with cookies set or for callers with `Authorization` (unless the answer is public);
 * stale answers while the Worker makes a newer one. It uses the runtime's own cache, so it ends with the runtime.
 */

/** The runtime's own cache, which browsers do not have. */
const cache = (): Cache => (caches as unknown as { default: Cache }).default;

const STORED_AT = 'bench-stored-at';

const secondsOf = (control: string, name: string): number =>
  Number(new RegExp(`${name}=(\\d+)`).exec(control)?.[1] ?? 0);

/** Returns the directives that count for the cache. */
const controlOf = ({ headers }: Response): string =>
  headers.get('cloudflare-cdn-cache-control') ?? headers.get('cache-control') ?? '';

const mayStore = (request: Request, response: Response): boolean => {
  const control = controlOf(response);
  if (response.status !== 200 || response.headers.has('set-cookie') || /no-store|private/.test(control)) return false;
  if (request.headers.has('authorization') && !control.includes('public')) return false;
  return secondsOf(control, 'max-age') > 0;
};

const addressOf = ({ url, headers }: Request): string => {
  const { pathname, search } = new URL(url);
  // The only header that answers of the service vary by without configured origins.
  return `https://workers-cache.invalid${pathname}${search}#${headers.get('accept-encoding')}`.replace(
    '#',
    search ? '&vary=' : '?vary=',
  );
};

async function store(address: string, response: Response): Promise<void> {
  const copy = new Response(response.body, { headers: response.headers, encodeBody: 'manual' } as ResponseInit);
  copy.headers.set(STORED_AT, String(Date.now()));
  copy.headers.set('cache-control', 'max-age=86400');
  copy.headers.delete('vary');
  await cache().put(address, copy);
}

/** Answers from the cache, or from the Worker, whose answer is kept if it may be. */
export async function throughCache(
  request: Request,
  context: { waitUntil(work: Promise<unknown>): void },
  ask: () => Promise<Response> | Response,
): Promise<Response> {
  if (request.method !== 'GET' || request.headers.has('upgrade')) return ask();
  const address = addressOf(request);
  const kept = await cache().match(address);
  const control = kept ? controlOf(kept) : '';
  const age = (Date.now() - Number(kept?.headers.get(STORED_AT))) / 1000;
  const fresh = secondsOf(control, 'max-age');
  const renew = async (): Promise<Response> => {
    const response = await ask();
    if (mayStore(request, response)) context.waitUntil(store(address, response.clone()));
    return response;
  };
  if (!kept || age >= fresh + secondsOf(control, 'stale-while-revalidate')) {
    await kept?.body?.cancel();
    return renew();
  }
  if (age >= fresh) context.waitUntil(renew().then((response) => response.body?.cancel()));
  return kept;
}
