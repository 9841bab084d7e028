/**
 * `docs/limits.md`, generated from the tables of limits in the source. A table is an export of a file that is named
 * `limits.ts` or `…-limits.ts`; a table that is added there appears on the page by itself.
 */
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import type { Limit, LimitTable, LimitUnit } from "../../src/core/model/limits/limit.ts";
import type { SourceFile } from "./source-file.ts";

export interface FoundTable {
  readonly path: string;
  readonly name: string;
  readonly table: LimitTable;
}

const LIMITS_FILE = /^src\/(?:.*\/)?(?:[a-z-]+-)?limits\.ts$/;

export async function readLimitTables(files: readonly SourceFile[]): Promise<FoundTable[]> {
  const paths = files.map(({ path }) => path).filter((path) => LIMITS_FILE.test(path));
  const found = await Promise.all(paths.toSorted().map(tablesOf));
  return found.flat();
}

async function tablesOf(path: string): Promise<FoundTable[]> {
  const exported = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>;
  return Object.entries(exported).flatMap(([name, table]) =>
    isTable(table) ? [{ path, name, table }] : [],
  );
}

const isTable = (value: unknown): value is LimitTable =>
  typeof value === "object" && value !== null && Object.values(value).every(isLimit);

const isLimit = (value: unknown): value is Limit =>
  typeof value === "object" && value !== null && "unit" in value && "beyond" in value;

export function limitsPage(tables: readonly FoundTable[]): string {
  const sections = tables.map(({ path, name, table }) => {
    const rows = Object.entries(table).map(
      ([field, limit]) =>
        `| ${limit.of} | ${shownValue(limit)} | ${limit.beyond} | ${limit.why} | \`${field}\` |`,
    );
    return [
      `## \`${name}\` (${path})`,
      "",
      "| bound on | number | beyond it | why this number | name |",
      "|---|---|---|---|---|",
      ...rows,
      "",
    ].join("\n");
  });
  return [
    "# Limits",
    "",
    "Every bound that Berth enforces, with its number. This page is generated: `npm run limits` writes it from the tables",
    "in the source, and a test fails when it is out of date. [security.md](security.md) says what the bounds protect.",
    "",
    ...sections,
  ].join("\n");
}

const shownValue = ({ value, unit }: Limit): string => SHOWN[unit](value);

const SHOWN: Readonly<Record<LimitUnit, (value: number) => string>> = {
  bytes: (value) => inUnits(value, 1_024, ["bytes", "KiB", "MiB", "GiB"]),
  ms: (value) => (value % 1_000 === 0 ? seconds(value / 1_000) : `${grouped(value)} ms`),
  count: grouped,
  "per second": (value) => `${grouped(value)} per second`,
};

const seconds = (value: number): string => (value % 60 === 0 ? `${value / 60} min` : `${value} s`);

function inUnits(value: number, step: number, names: readonly string[]): string {
  let left = value;
  let at = 0;
  while (left >= step && left % step === 0 && at < names.length - 1) {
    left /= step;
    at += 1;
  }
  return `${grouped(left)} ${names[at] ?? ""}`;
}

function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
