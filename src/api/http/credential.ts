/**
 * One token that the server takes, and what is open under it. When the token is revoked or expires,
 * all of that ends at once: a stream would otherwise go on for as long as its reader likes.
 */
import type { ServerResponse } from "node:http";
import type { Caller } from "./caller.ts";

export class Credential {
  readonly caller: Caller;
  /** By the wall clock; undefined: it does not expire. */
  readonly expiresMs: number | undefined;
  private readonly open = new Set<ServerResponse>();
  private isEnded = false;

  constructor(caller: Caller, expiresMs: number | undefined) {
    this.caller = caller;
    this.expiresMs = expiresMs;
  }

  get isRevoked(): boolean {
    return this.isEnded;
  }

  /** Requests under way and streams. */
  get openCount(): number {
    return this.open.size;
  }

  hasExpired(nowMs: number): boolean {
    return this.expiresMs !== undefined && nowMs >= this.expiresMs;
  }

  /** The answer ends with the credential, unless it is over before. */
  opened(response: ServerResponse): void {
    // Its client may have left while the proof was checked: it does not close again.
    if (response.destroyed) return;
    this.open.add(response);
    response.once("close", () => this.open.delete(response));
  }

  /** Cuts what is open: a reader that is told nothing more must not keep the connection either. */
  revoke(): void {
    this.isEnded = true;
    for (const response of this.open) response.destroy();
    this.open.clear();
  }
}
