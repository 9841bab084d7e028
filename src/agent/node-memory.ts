/**
 * What a node remembers across agents and boots: its session and the highest epoch it obeyed (AG3).
 * A boot is a new session by itself, because everything that ran before it is gone.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Epoch } from "../core/model/ids.ts";
import { CannotRunError } from "../shell/cannot-run-error.ts";
import { writeDurably } from "../shell/write-durably.ts";

interface Remembered {
  readonly node: string;
  readonly bootId: string;
  readonly session: number;
  readonly epoch: Epoch;
}

export class NodeMemory {
  private readonly file: string;
  private remembered: Remembered;
  /** The machine has booted since anything was remembered: nothing that was recorded still runs. */
  readonly isNewBoot: boolean;

  constructor(of: { readonly folder: string; readonly node: string; readonly bootId: string }) {
    const { folder, node, bootId } = of;
    this.file = join(folder, "node.json");
    const before = read(this.file);
    if (before !== undefined && before.node !== node) {
      throw new CannotRunError(
        `The directory ${folder} belongs to the node ${before.node}, not to ${node}. Use another directory for each node.`,
      );
    }
    this.isNewBoot = before?.bootId !== bootId;
    this.remembered =
      before === undefined
        ? { node, bootId, session: 1, epoch: 0 }
        : { ...before, bootId, session: before.session + (this.isNewBoot ? 1 : 0) };
    // Durable before anybody can speak in it: a session that was spoken in must never be forgotten.
    if (this.isNewBoot) this.write();
  }

  get session(): number {
    return this.remembered.session;
  }
  get epoch(): Epoch {
    return this.remembered.epoch;
  }

  /** Returns once it is durable. */
  remember(session: number, epoch: Epoch): void {
    this.remembered = { ...this.remembered, session, epoch };
    this.write();
  }

  private write(): void {
    writeDurably(this.file, `${JSON.stringify(this.remembered)}\n`);
  }
}

function read(file: string): Remembered | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  // Anything but a whole record is damage: guessing a session could revive one that is over.
  const found = JSON.parse(text) as Partial<Remembered>;
  const { node, bootId, session, epoch } = found;
  if (!node || !bootId || !Number.isSafeInteger(session) || !Number.isSafeInteger(epoch)) {
    throw new CannotRunError(
      `${file} is damaged. Restore it, or remove the directory to join as a new node.`,
    );
  }
  return found as Remembered;
}
