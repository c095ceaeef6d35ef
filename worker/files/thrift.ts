const STOP = 0;
/** Type codes of Thrift's compact protocol, as numbered in its specification. */
const [TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, STRUCT] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12];
/** Scale of the tenth byte of a varint, which holds the last of 64 bits. */
const LAST = 2 ** 63;

/**
 * Reads Thrift's compact protocol, used in Parquet footers and page headers, field by field. Skips unrequested fields,
 * because building objects and bigints for everything, as hyparquet does, takes five times as long.
 *
 *     let id = 0;
 *     while ((id = reader.field(id)) !== 0)
 *       if (id === 3) rows = reader.integer();
 *       else reader.pass();
 *
 * Throws a RangeError if the bytes end too early.
 */
export class ThriftReader {
  readonly #bytes: Uint8Array;
  #at: number;
  #kind = STOP;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Position of the next byte. */
  get at(): number {
    return this.#at;
  }

  /** Starts the struct's next field after id `last` (0: the first). Returns its id, 0 at the end of the struct. */
  field(last: number): number {
    const head = this.#byte();
    this.#kind = head & 0x0f;
    if (this.#kind === STOP) return 0;
    const step = head >> 4;
    return step === 0 ? this.integer() : last + step;
  }

  /** Reads a whole number; exact up to 2^52, because zigzag encoding doubles it. */
  integer(): number {
    const folded = this.#varint();
    return folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
  }

  /** Reads bytes without copying. */
  binary(): Uint8Array {
    const length = this.#varint();
    const from = this.#at;
    this.#step(length);
    return this.#bytes.subarray(from, this.#at);
  }

  /** Starts a list. Returns the number of elements. */
  list(): number {
    const head = this.#byte();
    this.#kind = head & 0x0f;
    return head >> 4 === 15 ? this.#varint() : head >> 4;
  }

  /** Skips the value of the current field. */
  pass(): void {
    this.#pass(this.#kind);
  }

  #pass(kind: number): void {
    switch (kind) {
      case TRUE:
      case FALSE:
        break;
      case BYTE:
        this.#step(1);
        break;
      case I16:
      case I32:
      case I64:
        this.#varint();
        break;
      case DOUBLE:
        this.#step(8);
        break;
      case BINARY:
        this.#step(this.#varint());
        break;
      case LIST:
      case SET:
        this.#passList();
        break;
      case STRUCT:
        for (let id = this.field(0); id !== 0; id = this.field(id)) this.pass();
        break;
      default:
        throw new RangeError(`no kind ${kind} of field is known`);
    }
  }

  #passList(): void {
    const count = this.list();
    // Within a list, each boolean takes a byte.
    const kind = this.#kind === TRUE || this.#kind === FALSE ? BYTE : this.#kind;
    for (let index = 0; index < count; index++) this.#pass(kind);
  }

  #step(length: number): void {
    this.#at += length;
    if (this.#at > this.#bytes.length) throw new RangeError('the bytes end inside a field');
  }

  #byte(): number {
    const from = this.#at;
    this.#step(1);
    return this.#bytes[from] as number;
  }

  #varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      if (scale === LAST) throw new RangeError('a number is longer than any that is written');
    }
  }
}
