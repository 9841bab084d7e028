/** `berth audit --verify-file`: an export checked by itself, and against the hash that was printed when it was made. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { type ChainHead, headText } from "../../host/store/chain-link.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { type ExportEnd, ExportReader } from "./export-lines.ts";

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
  const reader = new ExportReader();
  let number = 0;
  let end: ExportEnd | undefined;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      number += 1;
      if (end !== undefined) return { wrong: `Line ${number} comes after the last line.` };
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
    return { wrong: `The file ends after line ${number}, without its last line: it was cut off.` };
  }
  if (end.count === number - 1) return { end, chain: reader.chain };
  return { wrong: `The file has ${number - 1} entries, and its last line says ${end.count}.` };
}

const misfit = (number: number, text: string | undefined): string =>
  text === undefined
    ? `Line ${number} has no hash at its end: it is not a line of an export.`
    : `Line ${number} does not fit: it or a line before it was changed, moved or taken away.`;

const isSame = ({ end, chain }: Extract<Found, { end: ExportEnd }>, kept: ChainHead): boolean =>
  end.revision === kept.revision && chain === kept.hash;

function wordsOf(found: Extract<Found, { end: ExportEnd }>, kept: ChainHead | undefined): string {
  const { end, chain } = found;
  const whole = `${end.count} entries up to revision ${end.revision} hang together.`;
  if (kept === undefined) {
    const own = headText({ revision: end.revision, hash: chain });
    return `${whole} Whoever changes an entry can make all hashes anew: only the one that was kept, with --head, tells (this file's is ${own}).`;
  }
  if (isSame(found, kept)) return `${whole} The file is as it was when it was made.`;
  const isOfLog = end.head?.revision === kept.revision && end.head.hash === kept.hash;
  return isOfLog
    ? `${whole} The head that was given is that of the log, which the file only names: give the one that the export printed, or hold the log against this one with --verify.`
    : `${whole} The file is not the one that this head was printed for: it was changed as a whole, or is another export.`;
}
