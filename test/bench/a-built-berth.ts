/** The command line as users run it, built from what is here now: benchmarks start processes of it. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aBuildFolder } from "../builders/a-build-folder.ts";
import { placeCommand } from "../builders/place-command.ts";

export interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export class BuiltBerth {
  readonly folder = aBuildFolder("bench");

  /** What is still running; a test that gave up on it must not leave it to others. */
  private readonly running = new Set<ChildProcess>();

  async build(): Promise<void> {
    await placeCommand(this.folder);
    const start = `import { main } from "./berth.js";\nprocess.exitCode = await main(process.argv.slice(2));\n`;
    writeFileSync(join(this.folder, "berth.mjs"), start);
  }

  remove(): void {
    for (const child of this.running) child.kill("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }

  run(...args: string[]): Promise<Ran> {
    return this.start(...args).ended;
  }

  start(...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ran> } {
    const child = spawn(process.execPath, [join(this.folder, "berth.mjs"), ...args]);
    this.running.add(child);
    let out = "";
    let err = "";
    child.stdout.on("data", (text: Buffer) => (out += text.toString()));
    child.stderr.on("data", (text: Buffer) => (err += text.toString()));
    const ended = new Promise<Ran>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        this.running.delete(child);
        resolve({ code, out, err });
      });
    });
    return { child, ended };
  }

  /** Processes that run this build, by what they were told to do. */
  processes(): readonly string[] {
    return this.runningNow().map(({ words }) => words);
  }

  /** The same, with their numbers. */
  runningNow(): readonly { readonly pid: number; readonly words: string }[] {
    return readdirSync("/proc").flatMap((pid) => {
      const words = /^\d+$/.test(pid) ? commandOf(pid) : [];
      const isOurs = words[1]?.startsWith(this.folder) === true;
      return isOurs ? [{ pid: Number(pid), words: words.slice(2).join(" ") }] : [];
    });
  }
}

function commandOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
