/** A view of the plane, such as `fleet`, kept up to date while somebody holds it. */
import { computed } from "@preact/signals";
import { LiveLoop } from "./live-loop.ts";
import { readLines } from "./read-lines.ts";
import { RowStore } from "./row-store.ts";
import { ViewFold } from "./view-fold.ts";
import type { ViewMessage, ViewRow } from "./view-message.ts";

export class ViewStream {
  readonly rows = new RowStore<ViewRow>();
  readonly loop: LiveLoop;
  private readonly fold = new ViewFold(this.rows);
  /** Of its own, so that who only asks whether is not drawn again with every row. */
  private readonly hasRows = computed(() => this.rows.version.value > 0);

  constructor(path: string) {
    this.loop = new LiveLoop((link) =>
      readLines(path, {
        signal: link.signal,
        onMessages: (messages) => {
          for (const message of messages) this.fold.take(message as ViewMessage);
          link.heard();
          if (this.fold.isComplete) link.arrived();
        },
      }),
    );
  }

  get columns(): readonly string[] {
    void this.rows.version.value;
    return this.fold.columns;
  }

  /** The revision that the rows are as of. */
  get revision(): number {
    void this.rows.version.value;
    return this.fold.revision;
  }

  /** Something can be shown: the whole table was here once. */
  get isThere(): boolean {
    return this.hasRows.value;
  }

  /** Where a column stands in a row; -1 when the plane does not send it. */
  at(column: string): number {
    return this.columns.indexOf(column);
  }
}
