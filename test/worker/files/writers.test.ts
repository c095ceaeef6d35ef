import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import ExcelJs from 'exceljs';
import * as fc from 'fast-check';
import { parquetMetadata } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { GAMES } from '../../../domain/games/games.ts';
import { emptyTable, type Row, reorder, type Table, tableOf } from '../../../domain/scans/rows.ts';
import { writeUtf8 } from '../../../domain/utf8.ts';
import { openZip } from '../../../scan-files/zip.ts';
import { Bytes, Phrase, utf8 } from '../../../worker/files/bytes.ts';
import { gzipOf, gzipped, type Packed, packed } from '../../../worker/files/gzip.ts';
import { openSnapshot, writeSnapshot } from '../../../worker/files/parquet.ts';
import { statementCsv } from '../../../worker/files/statement.ts';
import { streamOf } from '../../../worker/files/stream-of.ts';
import { letters } from '../../../worker/files/xlsx-template.ts';
import { contentOf, unzip, ZipWriter } from '../../../worker/files/zip.ts';
import { exported, metaFor, plainTable } from './rows.ts';

/** The writers byte by byte, compared with the platform's own or read by other readers. */

const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

describe('bytes', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff\u{10000}\u{10ffff}',
      '\ud800',
      '\udc00a',
      'a\udbff',
      '"\\\u001f ',
    ),
  );

  test('of texts equal those of the platform and of JSON', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), fc.integer({ min: 1, max: 40 }), (texts, room) => {
        const out = new Bytes(room);
        for (const text of texts) out.text(text);
        const whole = texts.map((text) => text.toWellFormed()).join('');
        expect(out.length).toBe(new TextEncoder().encode(whole).length);
        expect(textOf(out.view())).toBe(whole);
        expect(textOf(out.take())).toBe(whole);
        expect(out.length).toBe(0);
        for (const text of texts) out.quoted(text);
        expect(textOf(out.view())).toBe(texts.map((text) => JSON.stringify(text)).join(''));
        out.clear();
        expect(out.length).toBe(0);
        for (const text of texts) expect(utf8(text)).toEqual(new TextEncoder().encode(text.toWellFormed()));
      }),
      { numRuns: 200 },
    );
    const target = new Uint8Array(8).fill(7);
    expect([writeUtf8('é', target, 2), ...target]).toEqual([4, 7, 7, 0xc3, 0xa9, 7, 7, 7, 7]);
  });

  test('of numbers are their digits, whatever their size', () => {
    const edges = [0, 9, 10, 99, 100, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 21_474_836_470_000, 10 ** 15, 2 ** 53 - 1];
    const number = fc.oneof(
      fc.maxSafeNat(),
      fc.nat(),
      fc.constantFrom(...edges, ...edges.map((each) => each + 1)),
      fc.double({ noNaN: true }),
      fc.maxSafeInteger(),
    );
    fc.assert(
      fc.property(fc.array(number, { maxLength: 6 }), fc.integer({ min: 1, max: 20 }), (numbers, room) => {
        const out = new Bytes(room);
        const cells = Float64Array.from(numbers);
        numbers.forEach((_, index) => {
          out.numberAt(cells, index);
          out.byte(0x2c);
          out.number(numbers[index] as number);
          out.byte(0x2c);
        });
        expect(textOf(out.view())).toBe(numbers.map((each) => `${each},${each},`).join(''));
      }),
      { numRuns: 300 },
    );
    const out = new Bytes(1);
    out.figureAt(Float64Array.of(Number.NaN, 5), 0);
    out.figureAt(undefined, 0);
    out.figureAt(Float64Array.of(Number.NaN, 5), 1);
    expect(textOf(out.view())).toBe('nullnull5');
  });

  test('of phrases are those of their texts, whatever follows them', () => {
    const texts = ['', 'a', ',"é":', 'null', '"power":', '漢字', '0123456789'];
    const phrases = texts.map((text) => new Phrase(text));
    for (let room = 1; room < 20; room++) {
      const out = new Bytes(room);
      for (const phrase of [...phrases, ...phrases.toReversed()]) {
        out.phrase(phrase);
        out.byte(0x7c);
      }
      expect(textOf(out.take())).toBe([...texts, ...texts.toReversed(), ''].join('|'));
      // The last words of a phrase do not reach into what follows it.
      out.phrase(phrases[1] as Phrase);
      expect([...out.take()]).toEqual([0x61]);
    }
  });

  test('written elsewhere are copied in, few and many', () => {
    const out = new Bytes(4);
    for (const size of [0, 1, 32, 33, 500]) out.raw(new Uint8Array(size).fill(size % 251));
    const taken = out.take();
    expect([taken.length, taken[0], taken[1], taken[33], taken[66]]).toEqual([566, 1, 32, 33, 500 % 251]);
    out.byte(9);
    expect([...out.take(), taken[0]]).toEqual([9, 1]);
  });
});

describe('a zip', () => {
  const written = () => {
    const zip = new ZipWriter();
    const pieces = [Buffer.from('one piece, '), Buffer.from('and another')];
    return Buffer.concat([
      ...zip.add({ name: 'é.txt', method: 0, crc: 0xe8b7be43, size: 1, data: Buffer.from('a') }),
      ...zip.begin('pieces.txt'),
      ...zip.write(pieces[0] as Buffer, deflateRawSync(pieces[0] as Buffer, { finishFlush: 2 })),
      ...zip.write(pieces[1] as Buffer, deflateRawSync(pieces[1] as Buffer)),
      ...zip.end(),
      ...zip.finish(),
    ]);
  };

  test('is read by another reader, with its checksums', () => {
    const bytes = written();
    const zip = openZip(bytes);
    expect(textOf(zip.part('é.txt') ?? new Uint8Array())).toBe('a');
    expect(textOf(zip.part('pieces.txt') ?? new Uint8Array())).toBe('one piece, and another');
    const [, pieces] = unzip(bytes);
    expect(pieces).toMatchObject({ name: 'pieces.txt', method: 8, size: 22 });
    expect(textOf(contentOf(pieces as never))).toBe('one piece, and another');
    // The descriptor after the data equals the directory, for readers that do not look ahead.
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    const descriptor = bytes.indexOf(Buffer.from('PK\x07\x08', 'latin1'));
    const directory = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
    expect([4, 8, 12].map((at) => view.getUint32(descriptor + at, true))).toEqual(
      [16, 20, 24].map((at) => view.getUint32(directory + at, true)),
    );
    const local = bytes.indexOf(Buffer.from('PK\x03\x04', 'latin1'), 1);
    // Version 2.0; sizes follow, names are UTF-8; deflated; 1 January 1980; no sizes and no sum yet.
    expect([4, 6, 8, 10, 12].map((at) => view.getUint16(local + at, true))).toEqual([20, 0x808, 8, 0, 0x21]);
    expect([14, 18, 22].map((at) => view.getUint32(local + at, true))).toEqual([0, 0, 0]);
    expect(view.getUint16(bytes.length - 14, true)).toBe(2);
    expect(view.getUint16(bytes.length - 12, true)).toBe(2);
    expect(view.getUint32(bytes.length - 6, true)).toBe(bytes.indexOf(Buffer.from('PK\x01\x02', 'latin1')));
  });

  test('that is invalid or has an unknown method is refused', () => {
    const bytes = written();
    expect(() => unzip(bytes.subarray(0, 10))).toThrow('not a zip');
    expect(() => unzip(Buffer.concat([bytes, Buffer.from('x')]))).toThrow('not a zip');
    const bent = Buffer.from(bytes);
    bent.writeUInt16LE(9, bent.indexOf(Buffer.from('PK\x01\x02', 'latin1')) + 10);
    expect(() => unzip(bent)).toThrow('zip entry é.txt: unknown method 9');
    const zip = new ZipWriter();
    expect(() => zip.write(new Uint8Array(0), new Uint8Array(0))).toThrow('no zip entry is open');
    zip.begin('a');
    zip.end();
    expect(() => zip.end()).toThrow('no zip entry is open');
  });
});

describe('a snapshot', () => {
  test('states the contents of its columns in its footer, for engines that skip by it', () => {
    const rows: Row[] = [
      { governor_id: 5, power: 7, ark_kills_per_battle: 0.5, name: 'a' },
      { governor_id: 2 ** 33, power: null, ark_kills_per_battle: 2, name: null },
      { governor_id: 3, power: 2, ark_kills_per_battle: null, name: 'c' },
    ];
    const bytes = writeSnapshot(tableOf('rok', rows), metaFor(tableOf('rok', rows)));
    const { row_groups, num_rows } = parquetMetadata(bytes.slice().buffer);
    const [group] = row_groups;
    if (!group) throw new Error('a row group expected');
    expect([row_groups.length, num_rows, group.num_rows]).toEqual([1, 3n, 3n]);
    const metas = group.columns.map(({ meta_data }) => meta_data);
    const of = (key: string) => metas.find((meta) => meta?.path_in_schema[0] === key);
    expect(of('governor_id')?.statistics).toMatchObject({ null_count: 0n, min_value: 3n, max_value: 8_589_934_592n });
    expect(of('power')?.statistics).toMatchObject({ null_count: 1n, min_value: 2n, max_value: 7n });
    expect(of('ark_kills_per_battle')?.statistics).toMatchObject({ null_count: 1n, min_value: 0.5, max_value: 2 });
    expect(of('name')?.statistics).toMatchObject({ null_count: 1n });
    expect(of('deads')?.statistics).toMatchObject({ null_count: 3n });
    // The columns follow each other, from the mark at the start of the file on.
    let at = 4n;
    for (const meta of metas) {
      expect([meta?.data_page_offset, meta?.num_values]).toEqual([at, 3n]);
      at += meta?.total_compressed_size ?? 0n;
    }
    expect(group.total_compressed_size).toBe(at - 4n);
    expect(group.total_byte_size).toBe(metas.reduce((sum, meta) => sum + (meta?.total_uncompressed_size ?? 0n), 0n));
    const savedOf = (key: string) => Number(of(key)?.total_uncompressed_size) - Number(of(key)?.total_compressed_size);
    const decimals = new Uint8Array(Float64Array.of(0.5, 2).buffer);
    expect([of('governor_id')?.codec, savedOf('governor_id')]).toEqual(['UNCOMPRESSED', 0]);
    expect(of('ark_kills_per_battle')?.codec).toBe('GZIP');
    expect(savedOf('ark_kills_per_battle')).toBe(decimals.length - gzipSync(decimals, { level: 1 }).length);
  });

  test('is read between any two of its rows', async () => {
    const table = plainTable('rok', 20_005);
    const snapshot = await openSnapshot(writeSnapshot(table, metaFor(table)));
    for (const [from, to] of [
      [0, 20_005],
      [0, 1],
      [9_999, 10_001],
      [10_000, 20_000],
      [9_990, 10_000],
      [20_000, 30_000],
      [5, 5],
      [20_005, 20_006],
    ] as const) {
      const found: number[] = [];
      for await (const group of snapshot.between(from, to, ['governor_id']))
        found.push(...(group.numbers.governor_id as Float64Array));
      expect(found).toEqual([...(table.numbers.governor_id as Float64Array).slice(from, to)]);
    }
  });

  test('has values in some rows, in any pattern', async () => {
    const patterns = [
      [0],
      [7],
      [8],
      [0, 1, 2],
      [6, 7, 8, 15, 16],
      [999],
      Array.from({ length: 500 }, (_, index) => index * 2),
    ];
    for (const places of patterns) {
      const table = emptyTable('rok', 1000);
      for (const row of places) {
        (table.numbers.power as Float64Array)[row] = row;
        (table.texts.name as (string | null)[])[row] = `n${row}`;
      }
      const snapshot = await openSnapshot(writeSnapshot(table, metaFor(table)));
      for await (const group of snapshot.groups(['power', 'name'])) {
        expect(group.numbers.power).toEqual(table.numbers.power);
        expect(group.texts.name).toEqual(table.texts.name);
      }
    }
  });

  test('of another format or layout is refused', async () => {
    const table = plainTable('rok', 2);
    const bytes = writeSnapshot(table, metaFor(table));
    const bent = (was: string, now: string): Uint8Array => {
      const copy = Buffer.from(bytes);
      // In the footer's metadata.
      copy.write(now, copy.indexOf(was, copy.lastIndexOf('game')));
      return new Uint8Array(copy);
    };
    for (const other of [bent('muster', 'master'), bent('rok', 'rox'), bent('2026-11-21T', '2026-99-99T')])
      await expect(openSnapshot(other)).rejects.toThrow('not a snapshot of this layout');
    expect((await openSnapshot(bent('scan', 'xcan'))).meta.kind).toBe('scan');
  });
});

describe('a workbook', () => {
  test('has columns as wide as their titles, number formats, and filters over all rows', async () => {
    const table = tableOf('rok', [
      {
        governor_id: 5,
        name: 'a',
        power: 7,
        alliance_tag: 'T',
        home_kingdom: 1,
        highest_power: 9,
        ark_kills_per_battle: 1.5,
      },
      { governor_id: 6, name: 'b', power: 6 },
    ]);
    const book = new ExcelJs.Workbook();
    await book.xlsx.load((await exported('xlsx', [table])).slice().buffer as never);
    const sheet = book.worksheets[0] as ExcelJs.Worksheet;
    const look = new Map<unknown, unknown>();
    sheet.getRow(1).eachCell((cell, column) => {
      const below = sheet.getRow(2).getCell(column);
      look.set(cell.value, [sheet.getColumn(column).width, below.numFmt, below.alignment?.horizontal]);
    });
    const title = (key: string) => GAMES.rok.columns.find((column) => column.key === key)?.title ?? '';
    const width = (key: string, least: number) => Math.max(least, title(key).length + 4);
    const found = (key: string) => look.get(title(key));
    expect(found('name')).toEqual([26, undefined, 'left']);
    expect(found('alliance_tag')).toEqual([width('alliance_tag', 14), undefined, 'left']);
    expect(found('governor_id')).toEqual([width('governor_id', 15), '0', 'right']);
    expect(found('power')).toEqual([width('power', 15), '#,##0', 'right']);
    expect(found('ark_kills_per_battle')).toEqual([width('ark_kills_per_battle', 12), '#,##0.##', 'right']);
    expect(sheet.getRow(1).height).toBe(20);
    expect(sheet.getRow(1).getCell(1).fill).toMatchObject({ pattern: 'solid', fgColor: { argb: 'FF1F2937' } });
    expect(sheet.getRow(1).getCell(1).font).toMatchObject({ bold: true, color: { argb: 'FFFFFFFF' } });
    expect([sheet.rowCount, sheet.columnCount]).toEqual([3, look.size]);
  });

  test('keeps spaces at either end of a name', async () => {
    const names = [' first', 'last ', 'in between', '\t'];
    const table = tableOf(
      'rok',
      names.map((name, id) => ({ governor_id: id + 1, power: 9 - id, name })),
    );
    const sheet = textOf(openZip(await exported('xlsx', [table])).part('xl/worksheets/sheet1.xml') ?? new Uint8Array());
    for (const name of names) {
      const edges = name.trim() === name ? '' : ' xml:space="preserve"';
      expect(sheet).toContain(`<t${edges}>${name}</t>`);
    }
  });

  test('shows on its summary where each kingdom comes from', async () => {
    const tables: Table[] = [plainTable('rok', 2), plainTable('rok', 3)];
    const book = new ExcelJs.Workbook();
    await book.xlsx.load((await exported('xlsx', tables)).slice().buffer as never);
    const lines: unknown[][] = [];
    book.getWorksheet('Summary')?.eachRow((row) => lines.push((row.values as unknown[]).slice(1)));
    expect(book.worksheets[0]?.name).toBe('Results');
    const moment = new Date(Date.UTC(2026, 10, 21, 6, 30));
    expect(lines.slice(0, 5)).toEqual([
      ['Summary', ''],
      ['Game', 'Rise of Kingdoms'],
      ['Kingdoms', 2],
      ['Newest scan at', moment],
      ['Rows', 5],
    ]);
    expect(lines.slice(-3)).toEqual([
      ['Kingdom', 'Scanned at', 'Governors', 'Source'],
      [3584, moment, 2, 'made up'],
      [3585, moment, 3, 'made up'],
    ]);
    const summary = book.getWorksheet('Summary');
    expect([1, 2, 3, 4].map((column) => summary?.getColumn(column).width)).toEqual([34, 24, 14, 40]);
    expect(summary?.getRow(4).getCell(2).numFmt).toBe('yyyy-mm-dd hh:mm "UTC"');
    expect(summary?.getCell('F2').value).toBeNull();
    const one = new ExcelJs.Workbook();
    await one.xlsx.load(
      (await exported('xlsx', [reorder(plainTable('cod', 2), Uint32Array.of(0))])).slice().buffer as never,
    );
    expect(one.worksheets[0]?.name).toBe('Server 3584');
    expect(one.getWorksheet('Summary')?.getCell('F2').value).toBe('2026-11-21 06:30 UTC');
  });

  test('names columns by letters', () => {
    expect([0, 25, 26, 27, 51, 52, 701, 702].map(letters)).toEqual(['A', 'Z', 'AA', 'AB', 'AZ', 'BA', 'ZZ', 'AAA']);
  });
});

test('a statement is csv that a spreadsheet can add up', async () => {
  const line = {
    id: 1,
    created_at: Date.UTC(2026, 0, 5),
    kind: 'charge',
    amount_cents: -123_450,
    balance_cents: 1_000_050,
  };
  async function* pages() {
    yield [{ ...line, order_id: 7, note: '=1,2' }] as never;
    yield [{ ...line, order_id: null, note: '' }] as never;
  }
  const csv = await new Response(streamOf(statementCsv(pages()))).text();
  expect(csv.split('\r\n').slice(1)).toEqual([
    expect.stringMatching(/^2026-01-05T00:00:00\.000Z,[^,]+,-1234\.50,10000\.50,7,"'=1,2"$/),
    expect.stringMatching(/^2026-01-05T00:00:00\.000Z,[^,]+,-1234\.50,10000\.50,,$/),
    '',
  ]);
});

test('pieces become one gzipped text, and their memory is released', async () => {
  const pieces = ['', '{"a":1}', 'x'.repeat(300_000), '灯'].map((text) =>
    Uint8Array.from(new TextEncoder().encode(text)),
  );
  const whole = Buffer.concat(pieces).toString();
  const packed = gzipped(pieces);
  expect(gunzipSync(packed).toString()).toBe(whole);
  const stream = new Response(packed).body?.pipeThrough(new DecompressionStream('gzip'));
  expect(await new Response(stream).text()).toBe(whole);
  expect(packed.length).toBeLessThan(2000);
  expect(pieces.map(({ byteLength }) => byteLength)).toEqual([0, 0, 0, 0]);
  expect(gunzipSync(gzipped([])).length).toBe(0);
});

test('a compressed piece can be part of several gzip files', () => {
  const texts = ['[', '', 'x'.repeat(70_000), '灯,', '"y"]'];
  const pieces = texts.map((text) => packed(new TextEncoder().encode(text)));
  // gunzip checks the sum, which is made from those of the pieces.
  for (const order of [[0, 1, 2, 3, 4], [4, 2, 2, 0], [3]]) {
    const file = gzipOf(order.map((index) => pieces[index] as Packed));
    expect(gunzipSync(file).toString()).toBe(order.map((index) => texts[index]).join(''));
  }
});
