/** Lists and reads the objects of a bucket in whole, for commands that would otherwise begin again. */

const ATTEMPTS = 3;
const WAIT_MS = 500;

/** Calls a read that changes nothing up to three times, because a connection may break among a hundred thousand reads. */
export async function readAgain<Read>(read: () => Promise<Read>): Promise<Read> {
  for (let attempt = 1; ; attempt++)
    try {
      return await read();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, attempt * WAIT_MS));
    }
}

/** A bucket, as the Worker or a command sees it. */
interface Listable<Listed> {
  list(options: {
    prefix: string;
    cursor?: string;
  }): Promise<{ objects: Listed[]; truncated: boolean; cursor?: string }>;
}

/** Yields all objects of a bucket, or those whose keys start with `prefix`, without their metadata. */
export async function* objectsIn<Listed>(store: Listable<Listed>, prefix = ''): AsyncGenerator<Listed> {
  for (let cursor: string | undefined; ; ) {
    const from = cursor;
    const page = await readAgain(() => store.list({ prefix, ...(from && { cursor: from }) }));
    yield* page.objects;
    if (!page.truncated) return;
    cursor = page.cursor;
  }
}
