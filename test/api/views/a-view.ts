/** A view as a page reads it: the lines of its watch folded into a table, rows as objects by column. */
import type { FastifyInstance } from "fastify";
import type { ViewLine } from "../../../src/api/views/view-rows.ts";
import { addressOf, aWatchAt } from "../a-watch.ts";

export type Row = Readonly<Record<string, unknown>>;

export interface AView {
  readonly rows: ReadonlyMap<string, Row>;
  readonly lines: readonly ViewLine[];
  /** Reads on until the table is as it is asked to be. */
  until(isSo: (rows: ReadonlyMap<string, Row>) => boolean): Promise<void>;
  /** Reads on until the row is as it is asked to be, and returns it. */
  row(key: string, isSo?: (row: Row) => boolean): Promise<Row>;
  /** Reads to the end. */
  end(): Promise<void>;
  close(): void;
}

export const aView = async (app: FastifyInstance, name: string, query = ""): Promise<AView> =>
  aViewAt(await addressOf(app), name, query);

export async function aViewAt(address: string, name: string, query = ""): Promise<AView> {
  const watch = await aWatchAt(address, `/views/${name}?watch=true&${query}`);
  if (watch.status !== 200) throw new Error(`The view ${name} was answered ${watch.status}.`);
  const rows = new Map<string, Row>();
  const lines: ViewLine[] = [];
  let columns: readonly string[] = [];
  let isWhole = false;
  const read = async (): Promise<boolean> => {
    const next = await watch.next();
    if (next === "end") return false;
    const line = next as unknown as ViewLine;
    lines.push(line);
    if (line.type === "bookmark") return true;
    if (line.type === "table") ({ columns } = line);
    else for (const key of line.gone) rows.delete(key);
    for (const row of line.rows) rows.set(row[0], named(columns, row));
    isWhole ||= !line.more;
    return true;
  };
  const until: AView["until"] = async (isSo) => {
    const isDone = (): boolean => isWhole && isSo(rows);
    while (!isDone()) {
      if (await read()) continue;
      throw new Error(`The view ended before it was so: ${JSON.stringify([...rows.values()])}`);
    }
  };
  return {
    rows,
    lines,
    until,
    row: async (key, isSo = () => true) => {
      await until(() => rows.has(key) && isSo(rows.get(key) as Row));
      return rows.get(key) as Row;
    },
    end: async () => {
      while (await read());
    },
    close: () => watch.close(),
  };
}

export const named = (columns: readonly string[], row: readonly unknown[]): Row =>
  Object.fromEntries(columns.map((column, at) => [column, row[at]]));
