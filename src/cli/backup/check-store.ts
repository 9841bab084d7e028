/** Runs the checks over a store or a backup, and tells a person or a program what came of it. */
import { BackupKept } from "../../host/backup/backup-kept.ts";
import { type KeptParts, LogMovedOn } from "../../host/backup/kept-log.ts";
import { type CheckedLog, type CheckLine, checkLog } from "../../host/check/check-log.ts";
import type { Finding } from "../../host/check/check-names.ts";
import { explaining } from "../../host/store/etcd/etcd-log-errors.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { explainingLog } from "../../serve/open-store.ts";
import type { StoreCheckOptions } from "../commands/store.ts";
import { keptIn, storePlace } from "./store-place.ts";

/** A log is compacted every few minutes at most, and reading it takes seconds. */
const TRIES = 3;
/** A fault in one place mostly repeats in many: these are enough to see what it is about. */
const SHOWN = 5;

export async function checkStore(
  backup: string | undefined,
  options: StoreCheckOptions,
  terminal: Terminal,
): Promise<void> {
  const place = backup === undefined ? storePlace(options) : undefined;
  const what = backup ?? place?.shown ?? "";
  const parts = (): KeptParts =>
    place === undefined ? new BackupKept(what).parts() : keptIn(place);
  const checked = await explainingLog(() => explaining("check the log", () => calmly(parts, what)));
  terminal.out(options.json === true ? json(what, checked) : told(what, checked));
  if (!checked.isGood) terminal.exitCode = 1;
}

async function calmly(parts: () => KeptParts, file: string): Promise<CheckedLog> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await checkLog(parts());
    } catch (error) {
      if (error instanceof Error && "syscall" in error) {
        throw new UserError("unreadable-file", `${error.message}.`, { file });
      }
      if (!(error instanceof LogMovedOn)) throw error;
      if (tries >= TRIES) throw new UserError("log-unavailable", error.message);
    }
  }
}

function told(what: string, { lines, isGood, revision, objects }: CheckedLog): string {
  const width = Math.max(...lines.map(({ rule }) => rule.length));
  const text = lines.flatMap((line) => lineTold(line, width)).join("\n");
  const all = `revision ${revision ?? "?"}, ${objects ?? "?"} objects`;
  return `${text}\n${isGood ? `${what} is valid` : `${what} is damaged`}: ${all}.\n`;
}

function lineTold(line: CheckLine, width: number): readonly string[] {
  const wrong = line.findings.filter(({ isDrift }) => isDrift !== true);
  const drift = line.findings.filter(({ isDrift }) => isDrift === true);
  const mark = wrong.length > 0 ? "✗" : line.isDone ? "✓" : "–";
  const count = line.isDone ? `${line.count} ${line.of}` : "not checked";
  return [
    `${mark} ${line.rule.padEnd(width)}  ${line.title} (${count})`,
    ...shown(wrong),
    ...(wrong.length > 0 ? [`    ${line.todo}`] : []),
    ...shown(drift),
  ];
}

function shown(findings: readonly Finding[]): readonly string[] {
  const left = findings.length - SHOWN;
  const lines = findings.slice(0, SHOWN).map(({ where, revision, found }) => {
    const at = revision === undefined ? "" : `, revision ${revision}`;
    return `    ${where}${at}: ${found}`;
  });
  return left > 0 ? [...lines, `    … and ${left} more`] : lines;
}

function json(what: string, { isGood, revision, objects, lines }: CheckedLog): string {
  const checks = lines.map(({ name, rule, title, count, isDone, findings, todo }) => ({
    name,
    rule,
    title,
    count,
    isDone,
    isGood: findings.every(({ isDrift }) => isDrift === true),
    findings: findings.map((finding) => ({ ...finding, todo })),
  }));
  return `${JSON.stringify({ what, isGood, revision: revision ?? null, objects: objects ?? null, checks })}\n`;
}
