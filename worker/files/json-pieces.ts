/** JSON text written in pieces, for answers that are too large to be held. */

const PIECE_CHARACTERS = 64 * 1024;
const ENCODER = new TextEncoder();

const isList = (value: unknown): value is AsyncIterable<string> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

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
    yield ENCODER.encode(piece);
    piece = '';
  }
  yield ENCODER.encode(piece);
}
