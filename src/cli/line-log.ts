/**
 * The log of a long-running command on standard error: JSON for machines, a short line for a
 * terminal.
 */
import { type Logger, pino } from "pino";
import { printable, printableLines } from "../text/printable.ts";

const LEVELS = pino.levels.labels;
/** Said by every line to machines, and by none to people. */
const UNSHOWN = new Set(["level", "time", "msg", "pid", "hostname"]);

/** What a command that runs for long says about itself. */
export type LineLog = Logger;

export function createLog(level: string): LineLog {
  if (!process.stderr.isTTY) {
    const stderr = pino.destination({ dest: 2, sync: true });
    return pino({ level }, { write: (line: string) => void stderr.write(lineForMachines(line)) });
  }
  return pino(
    { level },
    { write: (line: string) => void process.stderr.write(lineForPeople(line)) },
  );
}

/**
 * People read it on terminals, too. JSON leaves some characters that a terminal obeys as they are.
 */
export const lineForMachines = (json: string): string => printableLines(json);

/** `12:03:44 info  agent started node=a-1` */
export function lineForPeople(json: string): string {
  const line = JSON.parse(json) as Record<string, unknown>;
  const time = new Date(Number(line["time"])).toTimeString().slice(0, 8);
  const level = (LEVELS[Number(line["level"])] ?? "").padEnd(5);
  const fields = Object.entries(line)
    .filter(([name]) => !UNSHOWN.has(name))
    .map(
      ([name, value]) => ` ${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
    );
  return `${printable(`${time} ${level} ${String(line["msg"])}${fields.join("")}`)}\n`;
}
