/**
 * What a plane that follows tells its leader of a caller that it knows by a client certificate: the
 * certificate belongs to the connection, which ends at the follower. The follower seals what it has
 * verified under a key that only planes with the same signer have, for one request and a moment
 * (CC5). The leader asks its own log whether the node of an agent is still there.
 */
import { createHmac, createPrivateKey, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Caller } from "../http/caller.ts";

/** Only planes send it; what a client sends under this name is dropped. */
export const VOUCHED = "berth-vouched";

export interface VouchedCertificate {
  readonly id: string;
  readonly caller: Pick<Caller, "kind" | "name" | "groups" | "credentialId">;
  /** Of an agent: the uid of its node. */
  readonly uid?: string;
  readonly untilMs: number;
}

interface Vouched {
  readonly certificate: VouchedCertificate;
  /** From where the caller asked the follower. */
  readonly address?: string;
  readonly atMs: number;
}

interface Asked {
  readonly method: string;
  readonly url: string;
}

const PURPOSE = "berth forwarded caller HS256";
const KEY_BYTES = 32;
/** Clocks of planes may differ by some seconds, and a request waits for a new leader. */
const MOMENT_MS = 60_000;

export class Voucher {
  private readonly key: Buffer;

  constructor(signerKey: string) {
    const secret = createPrivateKey(signerKey).export({ type: "pkcs8", format: "der" });
    this.key = Buffer.from(hkdfSync("sha256", secret, "", PURPOSE, KEY_BYTES));
  }

  seal(vouched: Vouched, asked: Asked): string {
    const text = Buffer.from(JSON.stringify(vouched)).toString("base64url");
    return `${text}.${this.macOf(text, asked).toString("base64url")}`;
  }

  /** Undefined: no plane with this signer said it of this request just now. */
  open(
    header: string | readonly string[] | undefined,
    asked: Asked,
    nowMs: number,
  ): Omit<Vouched, "atMs"> | undefined {
    if (typeof header !== "string") return undefined;
    const [text = "", mac = ""] = header.split(".");
    const given = Buffer.from(mac, "base64url");
    const own = this.macOf(text, asked);
    if (given.length !== own.length || !timingSafeEqual(given, own)) return undefined;
    const vouched = JSON.parse(Buffer.from(text, "base64url").toString()) as Vouched;
    return Math.abs(nowMs - vouched.atMs) <= MOMENT_MS ? vouched : undefined;
  }

  private macOf(text: string, { method, url }: Asked): Buffer {
    return createHmac("sha256", this.key).update(`${method} ${url}\n${text}`).digest();
  }
}
