/**
 * A part of a benchmark in a process of its own, so that it has its own event loop, memory and
 * processor time. The child runs the same program as the parent, in the role it is told; both sides
 * speak over Node's channel between processes, and a child whose parent is gone ends
 * (`answer-parent.ts`).
 */
import { type ChildProcess, fork } from "node:child_process";
import type { Progress } from "../measure/progress.ts";
import { endWithUs } from "./end-with-us.ts";

export interface PartOptions {
  /** A folder for a profile of where its processor time went. */
  readonly profile?: string | undefined;
  /** The limit of its heap; left out: Node's own, which follows the machine's memory. */
  readonly heapMiB?: number | undefined;
  /** What the program is called with to play the role; left out: as `berth bench` is. */
  readonly args?: readonly string[];
}

export interface Question {
  readonly question: string;
  readonly of: unknown;
}

export type Message =
  | { readonly kind: "progress"; readonly of: Parameters<Progress> }
  | { readonly kind: "answer"; readonly answer: unknown }
  | { readonly kind: "failure"; readonly message: string };

export class PartProcess {
  readonly role: string;
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private readonly letGo: () => void;

  private constructor(role: string, child: ChildProcess) {
    this.role = role;
    this.child = child;
    this.ended = new Promise((resolve) => child.once("exit", () => resolve()));
    this.letGo = endWithUs(child);
  }

  static start(role: string, options: PartOptions = {}): PartProcess {
    const { profile, heapMiB, args = ["bench", "part", role] } = options;
    const profiling = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`];
    const heap = heapMiB === undefined ? [] : [`--max-old-space-size=${heapMiB}`];
    const child = fork(process.argv[1] ?? "", args, {
      execArgv: [...process.execArgv, ...profiling, ...heap],
      // What a part prints is a stack trace or nothing; the report belongs to the parent.
      stdio: ["ignore", 2, 2, "ipc"],
      // Answers hold typed arrays.
      serialization: "advanced",
    });
    return new PartProcess(role, child);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** One question at a time. */
  ask<Answer>(question: string, of?: unknown, progress: Progress = () => {}): Promise<Answer> {
    const { child, role } = this;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        child.off("message", heard);
        child.off("exit", lost);
      };
      const heard = (message: Message): void => {
        if (message.kind === "progress") {
          progress(...message.of);
          return;
        }
        stop();
        if (message.kind === "answer") resolve(message.answer as Answer);
        else reject(new Error(`The ${role} process could not ${question}: ${message.message}`));
      };
      const lost = (code: number | null, signal: string | null): void => {
        stop();
        const how = signal ?? `exit code ${code}`;
        reject(new Error(`The ${role} process ended (${how}) when it was asked to ${question}.`));
      };
      child.on("message", heard);
      child.once("exit", lost);
      child.send({ question, of } satisfies Question);
    });
  }

  /** Lets it finish by itself, so that a profile gets written. */
  async stop(): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    await this.ended;
    this.letGo();
  }
}
