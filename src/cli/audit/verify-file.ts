/**
 * `berth audit --verify-file`: an export checked by itself, and against the hash that was printed
 * when it was made.
 */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { LineChainReader } from "../../api/audit/line-chain.ts";
import { type ChainHead, headText } from "../../host/store/chain-link.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import type { ExportEnd } from "./export-lines.ts";

/** What is wrong with the file, or its last line. */
type Found = { readonly wrong: string } | { readonly end: ExportEnd; readonly chain: string };

export async function verifyFile(
  file: string,
  kept: ChainHead | undefined,
  terminal: Terminal,
): Promise<void> {
  const found = await readExport(file);
  const words = "wrong" in found ? found.wrong : wordsOf(found, kept);
  const isGood = !("wrong" in found) && (kept === undefined || isSame(found, kept));
  terminal.out(`${words}\n`);
  if (!isGood) terminal.exitCode = 1;
}

async function readExport(file: string): Promise<Found> {
  const reader = new LineChainReader();
  let number = 0;
  let end: ExportEnd | undefined;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      number += 1;
      if (end !== undefined) return { wrong: `Line ${number} follows the end marker.` };
      const { text, fits } = reader.read(line);
      if (text === undefined || !fits) return { wrong: misfit(number, text) };
      const value = JSON.parse(text) as { readonly type?: unknown };
      if (value.type === "end") end = value as ExportEnd;
    }
  } catch (error) {
    if (error instanceof SyntaxError) return { wrong: `Line ${number} is not JSON.` };
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unreadable-file", `${reason}.`, { file });
  }
  if (end === undefined) {
    return { wrong: `The file is truncated: it ends after line ${number} without the end marker.` };
  }
  if (end.count === number - 1) return { end, chain: reader.chain };
  return { wrong: `The file has ${number - 1} entries, but its end marker says ${end.count}.` };
}

const misfit = (number: number, text: string | undefined): string =>
  text === undefined
    ? `Line ${number} has no hash: it is not a line of an export.`
    : `Hash mismatch in line ${number}: it or an earlier line was changed, moved or removed.`;

const isSame = ({ end, chain }: Extract<Found, { end: ExportEnd }>, kept: ChainHead): boolean =>
  end.revision === kept.revision && chain === kept.hash;

function wordsOf(found: Extract<Found, { end: ExportEnd }>, kept: ChainHead | undefined): string {
  const { end, chain } = found;
  const whole = `The hash chain of ${end.count} entries up to revision ${end.revision} is intact.`;
  if (kept === undefined) {
    const own = headText({ revision: end.revision, hash: chain });
    return `${whole} The hashes can be recomputed after a change: only --head with a stored head proves that there was none (this file's head is ${own}).`;
  }
  if (isSame(found, kept)) return `${whole} The file is unchanged since the export.`;
  const isOfLog = end.head?.revision === kept.revision && end.head.hash === kept.hash;
  return isOfLog
    ? `${whole} The given head is that of the log, not of the file: pass the head that the export printed, or check the log with --verify.`
    : `${whole} The head does not match: the file was rewritten, or is another export.`;
}
