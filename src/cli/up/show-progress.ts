/**
 * Shows a table: on a terminal as a few lines that are drawn again and again below the news,
 * elsewhere as one line for every change.
 */
import colors from "picocolors";
import { forTerminal, styled } from "../text/terminal-text.ts";
import type { ProgressTable, ProgressRow } from "./progress-table.ts";

export interface Screen {
  readonly isTerminal: boolean;
  readonly width: () => number;
  write(text: string): void;
}

const BAR_WIDTH = 12;

export class ProgressView {
  private readonly screen: Screen;
  private table: ProgressTable | undefined;
  private leads: string | undefined;
  /** Lines of the table on the screen, below everything else. */
  private drawn = 0;
  private readonly told = new Map<string, string>();

  constructor(screen: Screen) {
    this.screen = screen;
  }

  /** Something that happened: stays on the screen, above the table. */
  news(text: string): void {
    this.clear();
    this.screen.write(`${text}\n`);
    this.draw();
  }

  show(table: ProgressTable): void {
    this.table = table;
    if (!this.screen.isTerminal) {
      this.tellChanges(table);
      return;
    }
    this.clear();
    this.draw();
  }

  /** Who leads, where several could. */
  showLead(text: string): void {
    if (this.leads === text) return;
    this.leads = text;
    if (!this.screen.isTerminal) this.screen.write(`planes: ${text}\n`);
    this.clear();
    this.draw();
  }

  /** Leaves the table as it is on the screen. */
  end(): void {
    this.drawn = 0;
    this.table = undefined;
  }

  private tellChanges({ rows, nodes }: ProgressTable): void {
    const lines = new Map(rows.map((row) => [row.workload, plainLine(row)]));
    lines.set("nodes", `nodes: ${nodes}`);
    for (const gone of this.told.keys()) {
      if (lines.has(gone)) continue;
      this.told.delete(gone);
      this.screen.write(`${gone}: gone\n`);
    }
    for (const [name, line] of lines) {
      if (this.told.get(name) === line) continue;
      this.told.set(name, line);
      this.screen.write(`${line}\n`);
    }
  }

  private clear(): void {
    if (this.drawn === 0) return;
    // Up to the first line of the table, and everything below it away.
    this.screen.write(forTerminal(`\u001B[${this.drawn}A\r\u001B[J`));
    this.drawn = 0;
  }

  private draw(): void {
    if (this.table === undefined || !this.screen.isTerminal) return;
    const lines = progressLines(this.table, this.screen.width(), this.leads);
    this.screen.write(`${lines.join("\n")}\n`);
    this.drawn = lines.length;
  }
}

function plainLine({ workload, stages, wanted, nodes }: ProgressRow): string {
  const where = nodes.length === 0 ? "" : ` on ${nodes.join(", ")}`;
  return `${workload}: ${stages} of ${wanted}${where}`;
}

export function progressLines(
  { rows, nodes }: ProgressTable,
  width: number,
  leads?: string,
): readonly string[] {
  const nameWidth = Math.max(0, ...rows.map(({ workload }) => workload.length));
  const stageWidth = Math.max(0, ...rows.map(({ stages }) => stages.length));
  const lines = rows.map((row) => {
    const filled = Math.round(row.share * BAR_WIDTH);
    const paint = row.share === 1 ? colors.green : colors.yellow;
    const bar =
      styled(paint, "█".repeat(filled)) + styled(colors.dim, "░".repeat(BAR_WIDTH - filled));
    const start = `  ${row.workload.padEnd(nameWidth)}  `;
    const rest = `  ${row.stages.padEnd(stageWidth)}  ${row.nodes.join(" ")}`;
    // A line that wraps would be two, and the table would climb up the screen.
    const room = Math.max(0, width - start.length - BAR_WIDTH - 1);
    return `${start}${bar}${rest.slice(0, room).trimEnd()}`;
  });
  const below = [`nodes: ${nodes}`, ...(leads === undefined ? [] : [`planes: ${leads}`])];
  const fitting = below.map((text) =>
    styled(colors.dim, `  ${text}`.slice(0, Math.max(0, width - 1))),
  );
  return ["", ...lines, ...fitting];
}
