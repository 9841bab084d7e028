/**
 * Where a plane listens, and whether it may: what others can reach needs a certificate and tokens.
 */
import { isLoopback } from "../api/http/authenticate.ts";
import { UserError } from "../shell/errors.ts";

export interface ListenAddress {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
}

const FORM = "HOST:PORT, such as 127.0.0.1:6900 or [::1]:6900";

export function parseListen(text: string): ListenAddress {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+)):(\d{1,5})$/i.exec(text);
  const host = match?.[1] ?? match?.[2];
  const port = Number(match?.[3]);
  if (host !== undefined && port <= 65_535) return { host, port };
  throw new UserError("bad-usage", `--listen: found "${text}", expected ${FORM}.`);
}

export interface Guards {
  readonly hasCertificate: boolean;
  readonly hasTokens: boolean;
}

/** On the loopback interface only this machine's own users come by; anywhere else anybody does. */
export function checkGuarded({ host }: ListenAddress, { hasCertificate, hasTokens }: Guards): void {
  if (isLoopback(host) || (hasCertificate && hasTokens)) return;
  const missing = [
    ...(hasCertificate ? [] : ["a certificate (--tls-cert and --tls-key)"]),
    ...(hasTokens ? [] : ["tokens (--token-file)"]),
  ].join(" and ");
  throw new UserError(
    "open-to-all",
    `${host} is reachable from other machines: configure ${missing}, or listen on 127.0.0.1.`,
  );
}
