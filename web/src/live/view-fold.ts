/**
 * Folds the messages of a watched view into rows. A table that comes in several messages becomes
 * visible when it is complete: after a broken connection the page keeps what it shows until the new
 * table can take its place.
 */
import type { ViewMessage, ViewRow } from "./view-message.ts";

/** Where the rows go; a RowStore fits. */
export interface RowTarget {
  put(key: string, row: ViewRow): void;
  drop(key: string): void;
  replaceAll(rows: Map<string, ViewRow>): void;
}

export class ViewFold {
  columns: readonly string[] = [];
  revision = 0;
  /** Everything that was there at the beginning is here. */
  isComplete = false;
  private readonly target: RowTarget;
  private arriving: Map<string, ViewRow> | undefined;

  constructor(target: RowTarget) {
    this.target = target;
  }

  take(message: ViewMessage): void {
    switch (message.type) {
      case "table":
        this.columns = message.columns;
        this.revision = message.revision;
        this.isComplete = false;
        this.arriving = new Map();
        this.arrive(message.rows, message.more);
        return;
      case "rows":
        if (message.revision !== undefined) this.revision = message.revision;
        if (this.arriving !== undefined) this.arrive(message.rows ?? [], message.more);
        else this.change(message.rows ?? [], message.gone ?? []);
        return;
      case "bookmark":
        this.revision = message.revision;
        return;
      default:
        // A newer plane may say more than this page knows; what it knows stays true.
        return;
    }
  }

  private arrive(rows: readonly ViewRow[], more: boolean | undefined): void {
    const arriving = this.arriving ?? new Map<string, ViewRow>();
    for (const row of rows) arriving.set(row[0], row);
    if (more === true) return;
    this.arriving = undefined;
    this.isComplete = true;
    this.target.replaceAll(arriving);
  }

  private change(rows: readonly ViewRow[], gone: readonly string[]): void {
    for (const key of gone) this.target.drop(key);
    for (const row of rows) this.target.put(row[0], row);
  }
}
