/** JSON text written in pieces, for answers that are too large to be held. */

const PIECE_CHARACTERS = 64 * 1024;
const ENCODER = new TextEncoder();
const bytesOf = (text: string) => ENCODER.encode(text) as Uint8Array<ArrayBuffer>;

const isList = (value: unknown): value is AsyncIterable<string> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.iterator in value;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function* textOf(value: unknown): AsyncGenerator<string> {
  if (isList(value)) {
    let before = '[';
    for await (const each of value) {
      yield before + each;
      before = ',';
    }
    yield before === '[' ? '[]' : ']';
  } else if (isObject(value)) {
    let before = '{';
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue;
      yield `${before}${JSON.stringify(name)}:`;
      yield* textOf(field);
      before = ',';
    }
    yield before === '{' ? '{}' : '}';
  } else yield JSON.stringify(value);
}

/** Yields the JSON of a value as bytes. In its objects, async iterables stand for lists of JSON texts. */
export async function* jsonPieces(value: unknown): AsyncGenerator<Uint8Array> {
  let piece = '';
  for await (const text of textOf(value)) {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield bytesOf(piece);
    piece = '';
  }
  yield bytesOf(piece);
}

/**
 * Yields the JSON of a successful answer as bytes. Its lists may be made while they are written. Rows are turned into
 * text one by one, because V8 keeps long texts, and rows that outlive a few others, until it collects all garbage.
 */
export function* answerPieces(data: Readonly<Record<string, unknown>>): Generator<Uint8Array<ArrayBuffer>> {
  let piece = '{"success":1,"data":{';
  let before = '';
  for (const [name, field] of Object.entries(data)) {
    if (field === undefined) continue;
    piece += `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (!isIterable(field)) {
      piece += JSON.stringify(field);
      continue;
    }
    let between = '[';
    for (const row of field) {
      piece += between + JSON.stringify(row);
      between = ',';
      if (piece.length < PIECE_CHARACTERS) continue;
      yield bytesOf(piece);
      piece = '';
    }
    piece += between === '[' ? '[]' : ']';
  }
  yield bytesOf(`${piece}}}`);
}
