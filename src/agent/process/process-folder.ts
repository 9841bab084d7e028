/**
 * One process as it is written down: a folder with the agent's record of what was ordered, and the
 * few words its shim leaves about what became of it. Everything the next agent needs is here.
 */
import { linkSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Amounts } from "../../core/model/amounts.ts";
import type { DriverName } from "../../core/model/node/driver-name.ts";
import type { ObjectKey, Revision, Uid } from "../../core/model/ids.ts";
import type { Address } from "../../core/model/objects.ts";
import type { MetricsPage, Probe } from "../../core/model/run-options.ts";
import { isRunning, parseIdentity, type ProcessIdentity } from "../../shell/process-identity.ts";
import type { RunAs } from "./run-as.ts";
import { writeDurably } from "../../shell/write-durably.ts";

/** Written before the shim is spawned, so that no process can exist without it. */
export interface ProcessRecord {
  readonly replica: ObjectKey;
  readonly uid: Uid;
  readonly incarnation: number;
  readonly permittedAt: Revision;
  readonly leashed: boolean;
  readonly asked: Amounts;
  readonly address?: Address;
  readonly probe?: Probe;
  readonly metrics?: MetricsPage;
  readonly stopGraceMs: number;
  readonly runAs?: RunAs;
  /** What runs it; left out: a plain process, the one driver of older agents. */
  readonly driver?: DriverName;
  /** The image that it runs in, for the driver that has images. */
  readonly image?: string;
  /** The size of its disk; left out: it has none. */
  readonly disk?: string;
  /** The cgroup that holds all of it; older agents write it alone. */
  readonly cgroup?: string;
  /** All of its cgroups, that one first. */
  readonly cgroups?: readonly string[];
  /**
   * Its output goes through pipes that bound its logs; left out: it writes its files itself (older
   * agents).
   */
  readonly isPiped?: true;
  /** Tells people which template the process was made from. */
  readonly templateDigest: string;
  /**
   * Orders the processes of one incarnation that met the same name; never compared with another
   * clock.
   */
  readonly orderedMs: number;
}

export type ProcessState =
  /** Spawned, and the shim has not taken the claim yet. */
  | { readonly kind: "ordered" }
  /** The shim is there and the process is not yet. */
  | { readonly kind: "launching" }
  | { readonly kind: "running"; readonly leader: ProcessIdentity }
  | {
      readonly kind: "ended";
      readonly code: number;
      readonly byLeash: boolean;
      /** An agent asked for it, before or after it began. */
      readonly onRequest: boolean;
    };

/** Said of a process whose shim was killed: it has ended, and its exit code is unknown. */
export const UNSEEN_END = 255;
/** Said of a process that was called back before it began. */
export const STOPPED = 143;

/** Of a record that any agent wrote. */
export const cgroupsOf = ({ cgroups, cgroup }: ProcessRecord): readonly string[] =>
  cgroups ?? (cgroup === undefined ? [] : [cgroup]);

/** Agents of protocol 1 called the incarnation a life; their processes are adopted, too. */
type StoredRecord = Omit<ProcessRecord, "incarnation"> &
  ({ readonly incarnation: number } | { readonly life: number });

const recordOf = (stored: StoredRecord): ProcessRecord =>
  "life" in stored ? { ...stored, incarnation: stored.life } : stored;

const REVOKED = "revoked\n";
const OWNER_ONLY = { mode: 0o600 } as const;

export class ProcessFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Of this process alone, also when its replica comes again. */
  get name(): string {
    return basename(this.path);
  }
  file(name: string): string {
    return join(this.path, name);
  }
  get environment(): string {
    return this.file("environment.sh");
  }
  get stdout(): string {
    return this.file("stdout.log");
  }
  get stderr(): string {
    return this.file("stderr.log");
  }
  /** The folder that the process begins in unless its template names another. */
  get work(): string {
    return this.file("work");
  }

  writeRecord(record: ProcessRecord): void {
    writeDurably(this.file("record.json"), `${JSON.stringify(record)}\n`);
  }

  /** Undefined when the agent died before the record was whole: then nothing was spawned either. */
  readRecord(): ProcessRecord | undefined {
    const text = this.read("record.json");
    return text === undefined ? undefined : recordOf(JSON.parse(text) as StoredRecord);
  }

  state(): ProcessState {
    const claim = this.read("claim");
    if (claim === undefined) return { kind: "ordered" };
    if (claim === REVOKED) return this.ended(STOPPED);
    const shim = parseIdentity(claim);
    // In this order: a shim that ends between the looks has left its exit code before it went.
    const isShimThere = shim !== undefined && isRunning(shim);
    const ended = this.exit();
    if (ended !== undefined) return ended;
    const leader = parseIdentity(this.read("running") ?? "");
    if (isShimThere) return leader ? { kind: "running", leader } : { kind: "launching" };
    // Without its shim a process still runs; it can be stopped, and its exit code will not be
    // known.
    if (leader !== undefined && isRunning(leader)) return { kind: "running", leader };
    return this.ended(UNSEEN_END);
  }

  private ended(code: number): ProcessState {
    const byLeash = this.read("leash-ended") !== undefined;
    const onRequest = this.read("claim") === REVOKED || this.read("stop-asked") !== undefined;
    return { kind: "ended", code, byLeash, onRequest };
  }

  /**
   * Written before anybody asks: a reader of the end, now or after a restart, knows that it was
   * requested.
   */
  noteStop(): void {
    writeFileSync(this.file("stop-asked"), "", OWNER_ONLY);
  }

  /** As with a stop: an end by the leash must not be taken for a crash. */
  noteLeashEnd(): void {
    writeFileSync(this.file("leash-ended"), "", OWNER_ONLY);
  }

  /** Written before the cgroups are removed: they are all that knows. */
  noteOutOfMemory(reason: string): void {
    writeFileSync(this.file("out-of-memory"), `${reason}\n`, OWNER_ONLY);
  }

  /** Why the kernel killed it for want of memory; undefined when it did not. */
  get outOfMemory(): string | undefined {
    return this.read("out-of-memory")?.trimEnd();
  }

  /** Also what only the cgroups know: a fork bomb ends of its own failures. */
  noteFailedForks(reason: string): void {
    writeFileSync(this.file("forks-failed"), `${reason}\n`, OWNER_ONLY);
  }
  get failedForks(): string | undefined {
    return this.read("forks-failed")?.trimEnd();
  }

  /** Where the script of its disk says that it could not be made, or was full at the end. */
  get diskNote(): string {
    return this.file("disk-note");
  }
  get diskTrouble(): string | undefined {
    return this.read("disk-note")?.trimEnd();
  }

  /** Written before the signal, as with a stop: the next agent knows that it was not obeyed. */
  noteForcedStop(reason: string): void {
    writeFileSync(this.file("stop-forced"), `${reason}\n`, OWNER_ONLY);
  }

  /** Why a request to stop ended in a kill; undefined when it did not. */
  get forcedStop(): string | undefined {
    return this.read("stop-forced")?.trimEnd();
  }

  /**
   * What the scripts before the process said when they could not start it, such as a tool that the
   * machine lacks; undefined once the process itself has begun, whose words these would be.
   */
  get startTrouble(): string | undefined {
    if (this.read("running") !== undefined) return undefined;
    for (const name of ["shim.log", "stderr.log"]) {
      const said = (this.read(name) ?? "").trimEnd().split("\n").at(-1) ?? "";
      // A shell puts the script and the line before it, which mean nothing to people.
      const what = said.replace(/^\S*\.sh: (?:line )?(?:\d+: )?/, "");
      if (what !== "") return `its node could not start its process: ${what}`;
    }
    return undefined;
  }

  /** Calls back an order whose shim has not begun; false when it has, or when it is unknown. */
  revoke(): boolean {
    const words = this.file("claim.agent");
    try {
      // Linked like the shim's own claim: a reader gets all of it.
      writeFileSync(words, REVOKED, OWNER_ONLY);
      linkSync(words, this.file("claim"));
      return true;
    } catch {
      return false;
    }
  }

  private exit(): ProcessState | undefined {
    const match = /^(\d+)\n$/.exec(this.read("exit") ?? "");
    if (!match) return undefined;
    return this.ended(Number(match[1]));
  }

  private read(name: string): string | undefined {
    try {
      return readFileSync(this.file(name), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }
}
