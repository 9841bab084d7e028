/** What a plane that follows adds to a request whose caller it knows by a certificate (CC5). */
import type { FastifyRequest } from "fastify";
import type { Voucher } from "../identity/voucher.ts";
import type { GivenAuth } from "./authenticate.ts";
import { callerOf } from "./caller.ts";

/** Undefined: the leader would not know who asks. */
export type Vouch = (request: FastifyRequest) => string | undefined;

export function vouchFor(auth: GivenAuth | undefined, voucher: Voucher | undefined): Vouch {
  const certificates = auth !== undefined && "certificates" in auth ? auth.certificates : undefined;
  return (request) => {
    const { credential, address } = callerOf(request);
    const certificate = credential && certificates?.shownFor(credential);
    if (certificate === undefined || voucher === undefined) return undefined;
    const said = { certificate, ...(address === undefined ? {} : { address }), atMs: Date.now() };
    return voucher.seal(said, { method: request.method, url: request.url });
  };
}
