/**
 * Notices a member that keeps a connection open and answers nothing: one that was stopped, or whose
 * machine or cable is gone. While an answer is owed and nothing is heard, it sends HTTP/2 pings,
 * which etcd answers whatever else it is busy with. A member that is merely slow is left alone.
 */
import type { ClientHttp2Session } from "node:http2";

/**
 * Looks are counted, not milliseconds: when we were stopped ourselves, what has arrived is read
 * before the next.
 */
const LOOK_MS = 250;
/** An answer takes milliseconds; two looks without one are worth a ping. */
const QUIET_LOOKS = 2;
/**
 * A ping takes a round trip. One that takes six looks is as good as lost, also between continents.
 */
const LOST_LOOKS = 6;
/**
 * Etcd hangs up on a client that pings three times within five seconds each and is owed nothing.
 */
const BETWEEN_PINGS_LOOKS = 12;

export class PingWatch {
  private readonly session: ClientHttp2Session;
  private readonly onDead: () => void;
  private timer: NodeJS.Timeout | undefined;
  private owed = 0;
  private quiet = 0;
  private sincePing = BETWEEN_PINGS_LOOKS;
  private isPinging = false;

  constructor(session: ClientHttp2Session, onDead: () => void) {
    this.session = session;
    this.onDead = onDead;
  }

  heard(): void {
    this.quiet = 0;
  }

  /** Returns what to call when the answer is there or no longer wanted. */
  expectAnswer(): () => void {
    if (this.owed === 0) this.quiet = 0;
    this.owed += 1;
    this.timer ??= setInterval(() => this.look(), LOOK_MS);
    return () => {
      this.owed -= 1;
      if (this.owed === 0 && !this.isPinging) this.stop();
    };
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private look(): void {
    this.quiet += 1;
    this.sincePing += 1;
    if (this.isPinging) {
      if (this.sincePing >= LOST_LOOKS) this.onDead();
      return;
    }
    if (this.owed === 0) this.stop();
    else if (this.quiet >= QUIET_LOOKS && this.sincePing >= BETWEEN_PINGS_LOOKS) this.ping();
  }

  private ping(): void {
    if (this.session.destroyed || this.session.closed) return;
    this.sincePing = 0;
    this.isPinging = true;
    this.session.ping((error) => {
      this.isPinging = false;
      if (error === null) this.heard();
    });
  }
}
