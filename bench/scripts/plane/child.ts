/**
 * A part of the bench in a process of its own, so that it has its own event loop and its own processor time.
 * The child runs this same program with a role; both sides speak over node's channel between processes, and
 * a child whose parent is gone ends.
 */
import { type ChildProcess, fork } from "node:child_process";

/** No part takes this long; it only bounds a hang. */
const LONGEST_MS = 150_000;

export type Role = "serve" | "drive" | "crowd";

export interface Ask {
  readonly ask: string;
  readonly of?: unknown;
}

/** What a role answers; every answer is plain data. */
export type Answers = Readonly<Record<string, (of: never) => unknown>>;

const living = new Set<ChildProcess>();

export class Child {
  private readonly process: ChildProcess;
  private readonly ended: Promise<void>;

  private constructor(process: ChildProcess) {
    this.process = process;
    this.ended = new Promise((resolve) => process.once("exit", () => resolve()));
  }

  /** `profile`: a folder for a profile of where its processor time went. */
  static start(role: Role, of: { readonly profile?: string | undefined } = {}): Child {
    const profiling =
      of.profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${of.profile}`];
    const child = fork(process.argv[1] ?? "", [role], {
      execArgv: [...process.execArgv, ...profiling],
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      // Reports hold typed arrays and large numbers.
      serialization: "advanced",
    });
    living.add(child);
    child.once("exit", () => living.delete(child));
    return new Child(child);
  }

  /** One question at a time. */
  ask<Answer>(ask: string, of?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const child = this.process;
      const stop = (): void => {
        child.off("message", heard);
        child.off("exit", lost);
      };
      const heard = (answer: { readonly answer?: Answer; readonly error?: string }): void => {
        stop();
        if (answer.error === undefined) resolve(answer.answer as Answer);
        else reject(new Error(answer.error));
      };
      const lost = (): void => {
        stop();
        reject(new Error(`A process of the bench ended when it was asked to ${ask}.`));
      };
      child.once("message", heard);
      child.once("exit", lost);
      child.send({ ask, of } satisfies Ask);
    });
  }

  async stop(): Promise<void> {
    if (this.process.connected) this.process.disconnect();
    await this.ended;
  }
}

/** Ends what is still running, when the bench is given up. */
export function endChildren(): void {
  for (const child of living) child.kill("SIGKILL");
}

/** The child's side: answers until the parent lets go, then tidies up. */
export function answerParent(answers: Answers, tidyUp: () => Promise<void>): void {
  const tooLong = setTimeout(() => process.exit(1), LONGEST_MS);
  process.on("message", ({ ask, of }: Ask) => {
    void answerOne(answers, { ask, of }).then((said) => process.send?.(said));
  });
  process.once("disconnect", () => {
    void tidyUp().finally(() => clearTimeout(tooLong));
  });
}

async function answerOne(answers: Answers, { ask, of }: Ask): Promise<object> {
  try {
    const answer = answers[ask];
    if (answer === undefined) throw new Error(`Nobody here can ${ask}.`);
    return { answer: await answer(of as never) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** Of this process and its threads, since it began. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** A clock that all processes of one machine share. */
export const sharedNowMs = (): number => Number(process.hrtime.bigint()) / 1e6;
