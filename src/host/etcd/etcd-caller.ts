/**
 * Brings one call to one member and back, and decides by the verdict on a failure whether to go on
 * elsewhere. A call that may have happened is repeated only when its caller says that it does not
 * matter.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { EtcdAddress } from "./etcd-address.ts";
import { EtcdAlarm, EtcdUnavailable, EtcdUnknown } from "./etcd-api.ts";
import { EtcdRefused } from "./etcd-refused.ts";
import { checkFailure, NO_SPACE, type Verdict } from "./etcd-verdict.ts";
import { GrpcConnection, type GrpcStream, type GrpcStreamCall } from "./grpc-connection.ts";
import { GrpcFailure } from "./grpc-failure.ts";
import { MemberRing } from "./member-ring.ts";
import { decodeAuthenticate, encodeAuthenticate } from "./operator-messages.ts";

export interface EtcdCallerOptions extends Omit<EtcdAddress, "prefix"> {
  /** For a whole call, however many members it takes. */
  readonly deadlineMs?: number;
  /** For one member that holds on to a call that may be repeated. */
  readonly patienceMs?: number;
  readonly connectMs?: number;
}

export interface EtcdCall {
  /** As in "Etcd was asked to read". */
  readonly what: string;
  readonly path: string;
  readonly message: Uint8Array;
  readonly effect: Effect;
}

export type Effect =
  /** Nothing happens, however often. */
  | "none"
  /** Something happens, and twice is as good as once. */
  | "repeatable"
  /** At most once. */
  | "once"
  /** At most once, however often it is sent; the sender can tell. */
  | "guarded";

/**
 * Longer than an election, so that a call comes through one; shorter than etcd's own seven seconds.
 */
const DEADLINE_MS = 5_000;
/** A slow disk takes this long; a slower member may be alone with an old leader. */
const PATIENCE_MS = 2_000;
/**
 * The same for what is guarded: what a member had passed on to a leader that died is never
 * answered, and an election is over by then. A disk that is merely slow is not made faster by
 * sending more, so it is not shorter.
 */
const GUARDED_PATIENCE_MS = 1_500;
/** A connection is one or two round trips; a member whose process is stopped takes for ever. */
const CONNECT_MS = 1_000;
/**
 * Between rounds through all members: an election takes about a second, and this costs next to
 * nothing.
 */
const ROUND_PAUSE_MS = 100;
/** A member without a leader says so, instead of holding on to the call. */
const REQUIRE_LEADER = { hasleader: "true" } as const;

export class EtcdCaller {
  private readonly options: EtcdCallerOptions;
  private readonly ring: MemberRing;
  private token: Promise<string> | undefined;

  constructor(options: EtcdCallerOptions) {
    this.options = options;
    const { endpoints, connectMs = CONNECT_MS } = options;
    this.ring = new MemberRing(endpoints, (endpoint) => {
      const tls = options.readTls?.() ?? options.tls;
      return GrpcConnection.open({ endpoint, connectMs, ...(tls === undefined ? {} : { tls }) });
    });
  }

  /** Rejects with EtcdUnavailable, EtcdRefused, EtcdAlarm or EtcdUnknown. */
  async call(call: EtcdCall): Promise<Uint8Array> {
    const endMs = this.endMs();
    return this.withToken((token) => this.callUntil(call, token, endMs));
  }

  /** On whichever member answers first; rejects with EtcdUnavailable or GrpcFailure "unsent". */
  async stream(call: Omit<GrpcStreamCall, "metadata">): Promise<GrpcStream & { endpoint: string }> {
    const token = await this.currentToken();
    const connection = await this.ring.connection(this.endMs());
    const { endpoint } = connection;
    return { endpoint, ...connection.stream({ ...call, metadata: metadata(token) }) };
  }

  /** The next call or stream begins with another member. */
  leave(endpoint: string): void {
    this.ring.leave(endpoint);
  }

  /** The next call logs in again. */
  forgetToken(): void {
    this.token = undefined;
  }

  close(): void {
    this.ring.close();
  }

  /**
   * With a token that etcd does not know any more, nothing has happened: a new one, and once again.
   */
  private async withToken(run: (token: string) => Promise<Uint8Array>): Promise<Uint8Array> {
    const asked = this.currentToken();
    const token = await asked;
    try {
      return await run(token);
    } catch (error) {
      if (this.options.user === undefined || !isAboutToken(error, token)) throw error;
    }
    // Unless somebody else has fetched a new one meanwhile.
    if (this.token === asked) this.forgetToken();
    return run(await this.currentToken());
  }

  private endMs(): number {
    return performance.now() + (this.options.deadlineMs ?? DEADLINE_MS);
  }

  private currentToken(): Promise<string> {
    if (this.options.user === undefined) return Promise.resolve("");
    if (this.token === undefined) {
      const token = this.logIn(this.options.user);
      this.token = token;
      token.catch(() => {
        if (this.token === token) this.token = undefined;
      });
    }
    return this.token;
  }

  private async logIn(user: { name: string; password: string }): Promise<string> {
    const login: EtcdCall = {
      what: `to log in as ${user.name}`,
      path: "/etcdserverpb.Auth/Authenticate",
      message: encodeAuthenticate(user.name, user.password),
      effect: "none",
    };
    try {
      return decodeAuthenticate(await this.callUntil(login, "", this.endMs()));
    } catch (error) {
      // Then no call needs a token; when it is enabled, calls without one are refused, and we come
      // here again.
      const isOff = error instanceof EtcdRefused && error.says.includes("is not enabled");
      if (isOff) return "";
      throw error;
    }
  }

  private async callUntil(call: EtcdCall, token: string, endMs: number): Promise<Uint8Array> {
    let mayHaveHappened = false;
    for (;;) {
      try {
        return await this.callOne(call, token, endMs);
      } catch (error) {
        const verdict =
          error instanceof GrpcFailure ? checkFailure(error) : checkUnreachable(error);
        mayHaveHappened ||= verdict.mayHaveHappened;
        const isOver = this.ring.isClosed || performance.now() + ROUND_PAUSE_MS >= endMs;
        const isLast = call.effect === "once" && mayHaveHappened;
        if (verdict.remedy !== "elsewhere" || isOver || isLast) {
          throw outcomeOf(call, error as Error, { ...verdict, mayHaveHappened });
        }
      }
      await sleep(ROUND_PAUSE_MS);
    }
  }

  private patienceFor(effect: Effect): number {
    if (effect === "once") return Infinity;
    return effect === "guarded" ? GUARDED_PATIENCE_MS : (this.options.patienceMs ?? PATIENCE_MS);
  }

  private async callOne(call: EtcdCall, token: string, endMs: number): Promise<Uint8Array> {
    const connection = await this.ring.connection(endMs);
    const leftMs = endMs - performance.now();
    // Sending it now would only turn "no" into "perhaps".
    if (leftMs <= 0) throw new GrpcFailure("unsent", "there was no time left to send it");
    const deadlineMs = Math.min(leftMs, this.patienceFor(call.effect));
    const { path, message } = call;
    try {
      return await connection.call({ path, message, deadlineMs, metadata: metadata(token) });
    } catch (error) {
      if (error instanceof GrpcFailure && checkFailure(error).remedy === "elsewhere") {
        this.leave(connection.endpoint);
      }
      throw error;
    }
  }
}

const metadata = (token: string): Record<string, string> =>
  token === "" ? { ...REQUIRE_LEADER } : { ...REQUIRE_LEADER, token };

class TokenRefused extends EtcdRefused {}

/**
 * Etcd takes the name in a certificate for the user's when there is no token, and refuses whatever
 * that one may not.
 */
const isAboutToken = (error: unknown, token: string): boolean =>
  error instanceof TokenRefused || (error instanceof EtcdRefused && token === "");

function checkUnreachable(error: unknown): Verdict {
  if (error instanceof EtcdUnavailable) return { mayHaveHappened: false, remedy: "elsewhere" };
  throw error;
}

function outcomeOf({ what, effect }: EtcdCall, error: Error, verdict: Verdict): Error {
  const says = error.message.replace(/\.$/, "");
  const isAtMostOnce = effect === "once" || effect === "guarded";
  // What one member refuses, another may have done before.
  const isOpen = effect === "guarded" && verdict.mayHaveHappened;
  if (verdict.remedy === "log-in" && !isOpen) return new TokenRefused(what, says);
  // Also after tries whose answers were lost: it says how things are now, and only what may be
  // repeated comes here then.
  if (verdict.remedy === "none" && !isOpen) return new EtcdRefused(what, says);
  if (verdict.remedy === "operator" && !isAtMostOnce) return new EtcdAlarm(alarmText(says));
  if (verdict.mayHaveHappened && effect !== "none") {
    const about = verdict.remedy === "operator" ? alarmText(says) : `The last error was: ${says}.`;
    return new EtcdUnknown(`The result of the request to etcd ${what} is unknown. ${about}`);
  }
  if (verdict.remedy === "operator") return new EtcdAlarm(alarmText(says));
  return new EtcdUnavailable(`The request to etcd ${what} failed: ${says}.`);
}

/** What an operator has to do, for both alarms that etcd knows. */
export function alarmText(says: string): string {
  return says.includes(NO_SPACE)
    ? `Etcd's database has reached its quota and takes no writes (${says}). Compact and defragment it ` +
        "(etcdctl compact, etcdctl defrag) or raise --quota-backend-bytes, then run etcdctl alarm disarm."
    : `A member of etcd reports a corrupt database (${says}), and etcd rejects all requests. ` +
        "Find it with etcdctl alarm list, replace it from a good member, then run etcdctl alarm disarm.";
}
