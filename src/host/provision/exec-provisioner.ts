/**
 * Asks a program on the plane's machine: the request is a line of JSON on its standard input, its
 * answer the JSON on its standard output. It ends in time, or with its plane however that ends, and
 * with everything it has started in its group.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { BoundedText } from "./bounded-text.ts";
import {
  ANSWER_BYTES,
  doubtful,
  oneLine,
  type ProvisionAnswer,
  type Provisioner,
  type ProvisionRequest,
  readAnswer,
  refused,
} from "./provision-protocol.ts";

/**
 * The program runs in the foreground, so that it has our standard input. Descriptor 3 is a pipe
 * whose writing end only the plane holds: the kernel closes it when the plane is gone, also after
 * SIGKILL, and the watcher ends the group. It is ended before the shim is, so it never signals a
 * group that is somebody else's by then.
 */
const SHIM = `
{ read -r _ <&3; kill -KILL 0; } > /dev/null 2> /dev/null < /dev/null &
watcher=$!
exec 3<&-
"$@"
code=$?
kill -KILL "$watcher"
wait "$watcher" 2> /dev/null
exit "$code"
`;

/** The last words of a program that failed; the reason is cut shorter still. */
const LAST_WORDS_BYTES = 4 * 1_024;
/** What it has started may hold its output open for good; what it said itself is there by then. */
const DRAIN_MS = 500;
/** As shells say that a program is not there, or is none. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);

export interface ExecOptions {
  /** The program and its arguments; no shell looks at them. */
  readonly command: readonly string[];
  readonly timeoutMs: number;
}

export class ExecProvisioner implements Provisioner {
  private readonly of: ExecOptions;
  private readonly running = new Set<ChildProcess>();

  constructor(of: ExecOptions) {
    this.of = of;
  }

  async ask(request: ProvisionRequest, signal: AbortSignal): Promise<ProvisionAnswer> {
    if (signal.aborted) return doubtful("it was not called: its plane is stopping");
    const child = this.start();
    const { stdin, stdout, stderr } = child;
    if (stdin === null || stdout === null || stderr === null) return refused("it has no pipes");
    const said = new BoundedText(stdout, { most: ANSWER_BYTES });
    const complained = new BoundedText(stderr, { most: LAST_WORDS_BYTES, keeps: "end" });
    const ended = endOf(child);
    let why: string | undefined;
    const end = (reason: string): void => {
      why ??= reason;
      killGroup(child);
    };
    said.onTooMuch(() => end(`it wrote more than ${ANSWER_BYTES} bytes`));
    const { timeoutMs } = this.of;
    const late = setTimeout(() => end(`no answer after ${timeoutMs / 1_000} s`), timeoutMs);
    const stop = (): void => end("it was killed: its plane is stopping or no longer the leader");
    signal.addEventListener("abort", stop);
    // A program that does not read what it is asked is checked by what it says.
    stdin.on("error", () => {});
    stdin.end(`${JSON.stringify(request)}\n`);
    try {
      const how = await ended;
      return why === undefined ? checked(how, said.text, complained.text) : doubtful(why);
    } finally {
      clearTimeout(late);
      signal.removeEventListener("abort", stop);
      this.running.delete(child);
    }
  }

  async close(): Promise<void> {
    const ends = [...this.running].map((child) => endOf(child));
    for (const child of this.running) killGroup(child);
    await Promise.all(ends);
  }

  private start(): ChildProcess {
    // In a group of its own, so that it can be ended with what it started.
    const child = spawn("/bin/sh", ["-c", SHIM, "berth-provisioner", ...this.of.command], {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      detached: true,
      env: ownEnvironment(),
    });
    this.running.add(child);
    child.stdio[3]?.on("error", () => {});
    return child;
  }
}

/** A store's address may hold a password, and is none of its business. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("BERTH_")));

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: string;
}

/**
 * Resolves when it is gone and its output is here, even if another process still holds the pipe.
 */
function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    child.once("error", ({ message }) => resolve({ code: null, signal: null, error: message }));
    child.once("exit", (code, signal) => {
      const enough = setTimeout(() => closeOutputs(child), DRAIN_MS);
      child.once("close", () => {
        clearTimeout(enough);
        resolve({ code, signal });
      });
      child.stdio[3]?.destroy();
    });
  });
}

function closeOutputs({ stdout, stderr }: ChildProcess): void {
  for (const stream of [stdout, stderr] satisfies (Readable | null)[]) stream?.destroy();
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  // Of one that has ended the number may be somebody else's.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It went by itself meanwhile.
  }
}

function checked({ code, signal, error }: End, said: string, complained: string): ProvisionAnswer {
  if (error !== undefined) return refused(`it could not be started: ${error}`);
  const words = oneLine(complained.trim().split("\n").at(-1) ?? "");
  const after = words === "" ? "" : `: ${words}`;
  if (code !== null && NOT_RUN.has(code)) {
    return refused(`it could not be run (exit code ${code})${after}`);
  }
  const answer = readAnswer(said);
  // An answer in words says more than an exit code.
  if (answer.kind === "refused" || code === 0) return answer;
  const how = code === null ? `it was killed by ${signal}` : `it exited with code ${code}`;
  return doubtful(`${how}${after}`);
}
