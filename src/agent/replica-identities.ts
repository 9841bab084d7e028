/**
 * The tokens by which replicas of this node say who they are: asked for at the start of a process,
 * kept fresh while it runs, as a private file in memory. What the file says is what is renewed, so
 * an agent that comes back goes on where the last one ended.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { HttpCaller, type Credentials } from "../shell/http-caller.ts";
import { ServerList } from "./plane/server-list.ts";
import { answerText } from "./plane/turned-away.ts";
import type { StartOrder } from "./process/order-process.ts";
import type { PrivateFiles, ReplicaFiles } from "./replica-files.ts";
import { retryPauseMs } from "../shell/retry-pause.ts";

/** In the folder $BERTH_FILES of a process. */
export const TOKEN_FILE = "berth-token";

export type IdentityAsk = Pick<StartOrder, "replica" | "uid" | "incarnation">;

export interface ReplicaIdentitiesOf {
  readonly node: string;
  readonly servers: readonly URL[];
  readonly credentials: Credentials;
  readonly files: ReplicaFiles;
  readonly note: (message: string) => void;
  /** The processes that run here now, with the names of their folders. */
  readonly running: () => readonly (IdentityAsk & { readonly folder: string })[];
}

const PATIENCE_MS = 5_000;
/** Tokens live for ten minutes, and each is renewed after half of its life. */
const LOOK_MS = 20_000;
const START_TRIES = 4;

export class ReplicaIdentities {
  private readonly of: ReplicaIdentitiesOf;
  private readonly caller: HttpCaller;
  private readonly servers: ServerList;
  private readonly over = new AbortController();
  private looking: Promise<void> = Promise.resolve();

  constructor(of: ReplicaIdentitiesOf) {
    this.of = of;
    this.caller = new HttpCaller(of.credentials);
    this.servers = new ServerList(of.servers, (message) => of.note(`identities: ${message}`));
  }

  /** What the process is to find. Throws when no plane gives it: it would run without a name. */
  async filesFor(order: StartOrder): Promise<PrivateFiles> {
    if (order.template.run?.identity === undefined) return new Map();
    for (let failures = 0; ; failures += 1) {
      try {
        return new Map([[TOKEN_FILE, await this.ask(order)]]);
      } catch (error) {
        if (failures + 1 >= START_TRIES || this.over.signal.aborted) throw error;
        await this.pause(retryPauseMs(failures));
      }
    }
  }

  start(): void {
    this.looking = this.lookOften();
  }

  async close(): Promise<void> {
    this.over.abort();
    await this.looking;
    this.caller.close();
  }

  /** One look at all tokens of this node. */
  async renewOld(wallMs: number): Promise<void> {
    for (const process of this.of.running()) {
      const { folder } = process;
      const known = this.of.files.read(folder, TOKEN_FILE);
      if (known === undefined || !isHalfOver(known, wallMs)) continue;
      try {
        this.of.files.replace(folder, TOKEN_FILE, await this.ask(process));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.of.note(`cannot renew the token of ${process.replica}: ${reason}`);
      }
    }
  }

  private async lookOften(): Promise<void> {
    while (!this.over.signal.aborted) {
      await this.pause(LOOK_MS * (0.5 + Math.random() / 2));
      if (!this.over.signal.aborted) await this.renewOld(Date.now());
    }
  }

  private async ask({ replica, uid, incarnation }: IdentityAsk): Promise<Buffer> {
    const server = this.servers.current;
    const body = { replica, uid, incarnation, node: this.of.node };
    const signal = AbortSignal.any([this.over.signal, AbortSignal.timeout(PATIENCE_MS)]);
    const call = { server, method: "POST", path: "/commands/identities", body, signal } as const;
    try {
      const answer = await this.caller.call(call);
      if (answer.status !== 200) throw new Error(answerText(answer));
      const { token } = JSON.parse(answer.text) as { readonly token: string };
      return Buffer.from(token);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.servers.failed(server, reason);
      throw new Error(`no workload identity: ${reason}`, { cause: error });
    }
  }

  private async pause(ms: number): Promise<void> {
    const { signal } = this.over;
    await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Read by eye: whether it is genuine, only those ask who are shown it. */
function isHalfOver(token: Buffer, wallMs: number): boolean {
  const [, claims = ""] = token.toString().split(".");
  try {
    const { iat, exp } = JSON.parse(Buffer.from(claims, "base64url").toString()) as {
      readonly iat: number;
      readonly exp: number;
    };
    return wallMs >= ((iat + exp) / 2) * 1_000;
  } catch {
    return true;
  }
}
