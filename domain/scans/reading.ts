import { type Column, GAMES, type GameId } from '../games/games.ts';
import { say, t } from '../language/text.ts';
import { type Dialect, EVERY_STAGE, type HeaderMapping, HeaderTargets, headerText, type Target } from './dialect.ts';
import type { FileScan, LineCounts, Problem, ReadingOptions, SheetReading } from './file-scan.ts';
import { type Figures, rowsByKingdom, Stage, tableFrom } from './growing.ts';
import { HeaderWatch } from './header-watch.ts';
import { clashed, noId, noKingdom, noPower, otherKingdom, repeated } from './line-sentences.ts';
import { type Cell, isRounded, kindOfFigure, numeralOf } from './numerals.ts';
import { Repeats } from './repeats.ts';
import { RowMoments } from './row-moments.ts';
import { beyondText, MAX_NAME } from './rows.ts';
import { endsWithTotal } from './total-line.ts';
import { allianceOf, kingdomOf, nameOf, wordsOf } from './words.ts';

/** Reads lines of other tools' files into snapshots: typed columns, and a table for each kingdom and time. */

/**
 * Reads the lines of one sheet. Lines without an id or power are dropped. If an id appears twice in a kingdom, the
 * first line counts. Unreadable cells stay empty. Everything is reported with its line number.
 */
export class ScanReading {
  readonly game: GameId;
  readonly #headers: HeaderTargets;
  readonly #options: ReadingOptions;
  readonly #stages: Stage[] = [];
  /** Header index → columns that its cells fill, or null if they are not read. */
  #slots: (Slot | null)[] = [];
  readonly #odd = new Set<string>();
  readonly #counts: LineCounts = { read: 0, kept: 0, dropped: 0 };
  readonly #moments = new RowMoments();
  readonly #repeats: Repeats;
  readonly #left = new Set<number>();
  readonly #watch: HeaderWatch;
  #flaw: string | null = null;

  constructor(dialect: Dialect, headers: readonly Cell[], options: ReadingOptions) {
    this.game = dialect.game;
    this.#repeats = new Repeats(dialect.game);
    this.#options = options;
    this.#headers = new HeaderTargets(dialect, headers, options.mapping);
    this.#watch = new HeaderWatch(this.#headers.mapped, GAMES[dialect.game].roles.id);
  }

  /** Why the file cannot be one scan, as a sentence; null while it can. */
  get flaw(): string | null {
    return this.#flaw;
  }

  /** Adds a header that appears later: a key of a JSON object that earlier objects lack. */
  addHeader(header: string): void {
    this.#headers.add(headerText(header).slice(0, MAX_NAME));
  }

  /** Lines read times stages, which is how memory use grows. */
  get rows(): number {
    return this.#counts.read * Math.max(1, this.moments);
  }

  /** Number of stages side by side. */
  get moments(): number {
    return this.#headers.stages.length;
  }

  /** Reads a line. `cells` are in the order of the headers; the caller may reuse the array. */
  line(line: number, cells: readonly Cell[]): void {
    if (isBlank(cells)) return;
    const again = this.#watch.again(cells);
    if (again === 'other')
      this.#flaw = t('Line {line} has other headers than those above it: put it into a file of its own.', { line });
    if (again === 'same') {
      this.drop(line, t('This line repeats the headers; it is left out.'));
      return;
    }
    this.#counts.read++;
    this.#moments.next();
    for (const index of this.#watch.nameless(cells))
      this.#report(
        line,
        null,
        t('Column {column} has no header: what stands there is not read.', { column: index + 1 }),
      );
    if (this.#slots.length < this.#headers.targets.length) this.#prepare();
    for (let index = 0; index < this.#slots.length; index++) {
      const slot = this.#slots[index];
      if (!slot) continue;
      const cell = cells[index] ?? null;
      const { only } = slot;
      // Nearly all cells. Adding 0 turns -0 into 0.
      if (only !== null && typeof cell === 'number' && cell >= 0 && cell <= only.most && Number.isInteger(cell))
        only.figures.values[only.stage.count] = cell + 0;
      else this.#put(slot.target, cell, line, index);
    }
    const kept = this.#keep(line);
    if (kept) this.#counts.kept++;
    else this.#counts.dropped++;
  }

  /** Drops a line for a reason that its cells do not show. */
  drop(line: number, reason: string): void {
    this.#counts.read++;
    this.#counts.dropped++;
    this.#report(line, null, reason, true);
  }

  finish(): SheetReading {
    const scans = this.#stages.flatMap((stage) => this.#scansOf(stage));
    const summary = this.#repeats.sentences.map((reason) => this.#problem(null, null, reason));
    return { mapping: this.#headers.mapped, scans, lines: this.#counts, summary };
  }

  #problem(line: number | null, column: string | null, reason: string, dropped = false): Problem {
    return { line, sheet: this.#options.sheet ?? null, column, reason, dropped };
  }

  #report(line: number | null, column: string | null, reason: string, dropped = false): void {
    this.#options.report(this.#problem(line, column, reason, dropped));
  }

  /** Looks up the columns of the headers so far. */
  #prepare(): void {
    const { targets, stages } = this.#headers;
    const { roles } = GAMES[this.game];
    while (this.#stages.length < Math.max(1, this.moments))
      this.#stages.push(new Stage(stages[this.#stages.length] ?? null, roles));
    this.#slots = targets.map((target) => target && { target, only: onlyColumn(target, this.#stages) });
  }

  #put(target: Target, cell: Cell, line: number, index: number): void {
    switch (target.kind) {
      case 'column':
        this.#putCell(target.column, target.stage, cell, line, index);
        break;
      case 'alliance':
        this.#putAlliance(cell);
        break;
      case 'pair': {
        const [first, second] = String(cell ?? '').split('/');
        this.#putCell(target.columns[0], EVERY_STAGE, first?.trim() || null, line, index);
        this.#putCell(target.columns[1], EVERY_STAGE, second?.trim() || null, line, index);
        break;
      }
      case 'moment':
        this.#putMoment(cell, line, index);
    }
  }

  #putMoment(cell: Cell, line: number, index: number): void {
    const text = cell === null ? '' : String(cell).trim().slice(0, MAX_NAME);
    if (text === '') return;
    const { momentIn, momentOf } = this.#options;
    const moment = (/^\d+(\.\d+)?$/.test(text) ? momentOf?.(Number(text)) : null) ?? momentIn(text);
    if (moment !== null) {
      this.#moments.put(moment);
      return;
    }
    this.#moments.putUnclear();
    if (!this.#odd.has('moment')) {
      this.#odd.add('moment');
      const { header } = this.#headers.mapped[index] as HeaderMapping;
      this.#report(
        line,
        header,
        t("'{text}' is not a clear date and time. Write it as 2026-01-31 18:30.", { text: text.slice(0, 40) }),
      );
    }
  }

  #putCell(column: Column, stage: number, cell: Cell, line: number, index: number): void {
    const stages = stage === EVERY_STAGE ? this.#stages : this.#stages.slice(stage, stage + 1);
    if (column.dashIsZero && String(cell).trim() === '-') {
      for (const each of stages) each.putDash(column);
      return;
    }
    const value = column.type === 'text' ? this.#textOf(column, cell, line) : this.#figureOf(column, cell, line, index);
    for (const each of stages) each.put(column, value);
  }

  #textOf({ key }: Column, cell: Cell, line: number): string | null {
    if (key !== GAMES[this.game].roles.name) return wordsOf(cell);
    if (cell !== null && String(cell).length > MAX_NAME)
      this.#report(
        line,
        key,
        t('The name has more than {most} characters; the first {most} are kept.', { most: MAX_NAME }),
      );
    return nameOf(cell);
  }

  #figureOf(column: Column, cell: Cell, line: number, index: number): number | null {
    const figure = numeralOf(cell, kindOfFigure(column));
    const isKingdom = column.key === GAMES[this.game].roles.kingdom;
    if (figure === null || typeof figure === 'number') {
      if (figure !== null && figure > (column.most ?? Infinity)) {
        if (isKingdom) this.#oddKingdom(line, column.key, String(cell));
        else this.#report(line, column.key, beyondText(figure, column.most ?? Infinity));
        return null;
      }
      if (typeof cell === 'string' && figure !== null && isRounded(cell)) this.#rounded(column, cell);
      return figure;
    }
    const header = this.#headers.mapped[index]?.header ?? column.key;
    if (isKingdom) {
      const kingdom = kingdomOf(String(cell));
      if (kingdom !== null) return kingdom;
      this.#oddKingdom(line, header, String(cell));
    } else this.#report(line, header, `${say(figure.unclear)}.`);
    return null;
  }

  /** Reports rounded figures like `15.2M`, which are accepted, once per column. */
  #rounded({ key }: Column, cell: string): void {
    if (this.#odd.has(key)) return;
    this.#odd.add(key);
    this.#report(
      null,
      key,
      t("Figures such as '{figure}' were rounded by the tool that wrote them.", { figure: cell.trim().slice(0, 20) }),
    );
  }

  /** Reports an invalid kingdom once, because some tools write the sheet's name there in every row. */
  #oddKingdom(line: number, header: string, text: string): void {
    if (this.#odd.has(text) || this.#odd.size > 20) return;
    this.#odd.add(text);
    this.#report(
      line,
      header,
      t("'{text}' is not a {game, select, cod {server} other {kingdom}} number.", {
        game: this.game,
        text: text.slice(0, 40),
      }),
    );
  }

  #putAlliance(cell: Cell): void {
    const { tag, name } = allianceOf(cell);
    const { columns, roles } = GAMES[this.game];
    for (const stage of this.#stages)
      for (const column of columns) {
        if (column.key === roles.tag) stage.put(column, tag);
        if (column.key === 'alliance_name') stage.put(column, name);
      }
  }

  /** Keeps the current row in every stage that has its power. Returns false if none does. */
  #keep(line: number): boolean {
    const { roles } = GAMES[this.game];
    const [first] = this.#stages as [Stage];
    const id = first.ids.values[first.count] as number;
    const kingdom = this.#kingdomOf(first, line);
    const lack = this.#lackOf(id, kingdom, line);
    if (lack) {
      for (const stage of this.#stages) stage.discard();
      this.#report(line, lack.column, lack.reason, true);
      return false;
    }
    let kept = 0;
    for (const stage of this.#stages) {
      const power = stage.powers.values[stage.count] as number;
      // In a tracker of several stages, a 0 is a stage that nobody has filled in yet.
      const taken = stage.name === null ? !Number.isNaN(power) : power > 0;
      if (taken) {
        stage.kingdoms.values[stage.count] = kingdom ?? Number.NaN;
        stage.keep(line, roles.tiers);
        kept++;
      } else stage.discard();
    }
    if (kept === 0) this.#report(line, roles.power, noPower(this.game, id), true);
    else this.#moments.keep(kingdom, id, line);
    return kept > 0;
  }

  #kingdomOf(stage: Stage, line: number): number | null {
    const { roles } = GAMES[this.game];
    const own = stage.kingdoms.values[stage.count] as number;
    const given = this.#options.kingdom ?? null;
    if (!(own > 0)) return given;
    if (given !== null && own !== given && !this.#odd.has(`${own}`)) {
      this.#odd.add(`${own}`);
      this.#report(line, roles.kingdom, otherKingdom(this.game, own, given));
    }
    return own;
  }

  #lackOf(id: number, kingdom: number | null, line: number): { column: string; reason: string } | null {
    const { roles } = GAMES[this.game];
    if (!(id > 0)) return { column: roles.id, reason: noId(this.game) };
    const clash = this.#moments.clash(kingdom, id, this.moments > 0);
    if (clash === null) return null;
    this.#flaw ??= clashed(clash, line, this.game, id);
    const other = this.#repeats.isOther(this.#stages, clash.line, kingdom, id);
    return { column: roles.id, reason: repeated(id, clash.line, other) };
  }

  /** Drops the total line at the end of a spreadsheet. */
  #leaveTotal(stage: Stage): void {
    const { power } = GAMES[this.game].roles;
    if (!endsWithTotal(stage.powers.values.subarray(0, stage.count))) return;
    stage.count--;
    const reason = t('The power is the sum of all lines above, so this line is their total. It is left out.');
    this.#leave(stage.lines[stage.count] as number, power, reason);
  }

  /** Drops a line that was kept. The line may occur in several stages but counts once. */
  #leave(line: number, column: string | null, reason: string): void {
    if (this.#left.has(line)) return;
    this.#left.add(line);
    this.#counts.kept--;
    this.#counts.dropped++;
    this.#report(line, column, reason, true);
  }

  /** Drops rows without a kingdom if others have one. If none has, the whole file lacks it. */
  #leaveUnnamed(stage: Stage, kingdoms: Map<number | null, Uint32Array>): void {
    const rows = kingdoms.size > 1 ? (kingdoms.get(null) ?? []) : [];
    if (kingdoms.size > 1) kingdoms.delete(null);
    const { roles } = GAMES[this.game];
    for (const line of Array.from(rows, (row) => stage.lines[row] as number).sort((a, b) => a - b))
      this.#leave(line, roles.kingdom, noKingdom(this.game));
  }

  /** Returns a kingdom's time: the user's choice, else from its rows, else from the file. */
  #momentOf(kingdom: number | null): number | null {
    const { chosen_at = null, captured_at = null } = this.#options;
    if (chosen_at !== null) return chosen_at;
    const span = this.#moments.longSpan(kingdom);
    if (span) {
      const [first = '', last = ''] = [span.first, span.last].map((at) => new Date(at).toISOString().slice(0, 10));
      this.#report(
        null,
        null,
        t("The rows were read between {first} and {last}: the last one's moment is taken.", { first, last }),
      );
    }
    return this.#moments.last(kingdom) ?? captured_at;
  }

  #scansOf(stage: Stage): FileScan[] {
    if (stage.count === 0) {
      if (stage.name !== null)
        this.#report(null, null, t("'{stage}' has no powers above 0; it is left out.", { stage: stage.name }));
      return [];
    }
    this.#leaveTotal(stage);
    const kingdoms = rowsByKingdom(stage);
    this.#leaveUnnamed(stage, kingdoms);
    const parts = [...kingdoms].flatMap(([kingdom, rows]) => this.#partsOf(stage, kingdom, rows));
    this.#options.before?.(parts.length);
    const scans = parts.map(({ kingdom_id, captured_at, rows }) => ({
      kingdom_id,
      captured_at,
      stage: stage.name,
      table: tableFrom(this.game, stage, rows),
      lines: rows.map((row) => stage.lines[row] as number),
      sheet: this.#options.sheet ?? null,
    }));
    stage.free();
    return scans;
  }

  /** Splits a kingdom's rows by day if the file is a long table; otherwise they form one part. */
  #partsOf(stage: Stage, kingdom_id: number | null, rows: Uint32Array): Part[] {
    if (stage.name !== null) return [{ kingdom_id, rows, captured_at: this.#options.momentIn(stage.name) }];
    if (!this.#moments.long) return [{ kingdom_id, rows, captured_at: this.#momentOf(kingdom_id) }];
    if (typeof this.#options.chosen_at === 'number' && !this.#odd.has('chosen')) {
      this.#odd.add('chosen');
      this.#report(null, null, t('The lines say of which day they are, so the chosen time is not used.'));
    }
    const { days, undated } = this.#moments.byDay(rows, stage.lines);
    for (const line of undated.map((row) => stage.lines[row] as number).sort((a, b) => a - b))
      this.#leave(line, null, t('Other lines say of which day they are, this one does not; it is left out.'));
    return days.map(({ rows: ofDay, at }) => ({ kingdom_id, rows: ofDay, captured_at: at }));
  }
}

type Part = Pick<FileScan, 'kingdom_id' | 'captured_at'> & { rows: Uint32Array };

/** The columns that a header's cells fill. */
interface Slot {
  target: Target;
  /** The only column that they fill, if it is numeric. Whole numbers up to `most` are written there without checks. */
  only: { stage: Stage; figures: Figures; most: number } | null;
}

function onlyColumn(target: Target, stages: readonly Stage[]): Slot['only'] {
  if (target.kind !== 'column' || target.column.type === 'text') return null;
  const [stage, ...others] = target.stage === EVERY_STAGE ? stages : [stages[target.stage]];
  if (!stage || others.length > 0) return null;
  const { key, most = Infinity } = target.column;
  return { stage, figures: stage.figuresOf(key), most: Math.min(most, Number.MAX_SAFE_INTEGER) };
}

function isBlank(cells: readonly Cell[]): boolean {
  for (const cell of cells) if (cell !== null && cell !== '') return false;
  return true;
}
