/** The command line as users run it: bundled, and run in processes of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { aBuildFolder } from "../../builders/a-build-folder.ts";
import { placeCommand } from "../../builders/place-command.ts";

export interface Said {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export class BuiltBerth {
  readonly script: string;
  private readonly folder: string;
  private readonly built: string;
  private readonly running: ChildProcess[] = [];

  /** `folder`: where commands run, and the home of their user. */
  constructor(folder: string) {
    this.folder = folder;
    this.built = aBuildFolder("e2e-identity");
    this.script = join(this.built, "berth.mjs");
  }

  async build(): Promise<void> {
    await placeCommand(this.built);
    const start = `#!/usr/bin/env node\nimport { main } from "./berth.js";\nprocess.exitCode = await main(process.argv.slice(2));\n`;
    writeFileSync(this.script, start);
    chmodSync(this.script, 0o755);
  }

  /** `onErr` hears what the command has said so far on standard error. */
  async run(
    args: readonly string[],
    onErr: (text: string) => void = () => {},
    program = this.script,
  ): Promise<Said> {
    const child = this.spawn(args, program);
    let [out, err] = ["", ""];
    child.stdout?.on("data", (part: Buffer) => (out += part.toString()));
    child.stderr?.on("data", (part: Buffer) => {
      err += part.toString();
      onErr(err);
    });
    const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
    return { code, out, err };
  }

  /** Goes on until `stop` or the end of the test. */
  start(args: readonly string[]): { readonly said: () => string; stop(): Promise<void> } {
    const child = this.spawn(args, this.script);
    this.running.push(child);
    let said = "";
    child.stdout?.on("data", (part: Buffer) => (said += part.toString()));
    child.stderr?.on("data", (part: Buffer) => (said += part.toString()));
    return { said: () => said, stop: () => stopped(child) };
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map(stopped));
  }

  private spawn(args: readonly string[], program: string): ChildProcess {
    const { folder } = this;
    const env = { ...process.env, XDG_CONFIG_HOME: join(folder, "config"), HOME: folder };
    return spawn(program, args, { env, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((resolve) => child.once("close", resolve));
  child.kill("SIGTERM");
  await over;
}
