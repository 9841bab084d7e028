/** The rows of one view of the plane, kept up to date by the lines of its stream. */
import { recordOf, textOf } from "../../steering/api-object.ts";

export class ViewTable<Row> {
  private columns: readonly string[] = [];
  private byKey = new Map<string, Row>();
  /** Rows of a table that is not whole yet. */
  private arriving: Map<string, Row> | undefined;
  revision: number | undefined;
  /** The plane's clock, when it said so last. */
  atMs: number | undefined;

  get rows(): readonly Row[] {
    return [...this.byKey.values()];
  }

  /** Whether all of it was there at some time. */
  get isWhole(): boolean {
    return this.revision !== undefined && this.arriving === undefined;
  }

  apply(line: unknown): void {
    const { type, columns, rows, gone, more, revision, at } = recordOf(line);
    if (typeof revision === "number") this.revision = revision;
    if (typeof at === "number") this.atMs = at;
    if (textOf(type) === "bookmark") return;
    if (textOf(type) === "table") {
      this.columns = listOf(columns).map(textOf);
      // The old table stays on the screen until the new one is complete.
      this.arriving = new Map();
    }
    const into = this.arriving ?? this.byKey;
    for (const cells of listOf(rows)) {
      const row = listOf(cells);
      into.set(textOf(row[0]), this.named(row));
    }
    for (const key of listOf(gone)) into.delete(textOf(key));
    if (this.arriving === undefined || more === true) return;
    this.byKey = this.arriving;
    this.arriving = undefined;
  }

  /** By the names of the columns: a plane of a later version may have more of them. */
  private named(cells: readonly unknown[]): Row {
    return Object.fromEntries(this.columns.map((name, at) => [name, cells[at]])) as Row;
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
