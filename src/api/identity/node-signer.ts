/** The plane's own authority, which signs certificates of agents and nothing else. */
import { NODES_GROUP, NODE_USER_PREFIX } from "../../core/model/access.ts";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import type { PlaneJoins } from "./plane-joins.ts";
import type { KeyAndCertificate, ReadRequest } from "../../shell/certificates/sign-certificate.ts";
import { SIGNER_LIMITS } from "./signer-limits.ts";

/** The node that a certificate is for, as it stands in the log. */
export interface SignedNode {
  readonly name: string;
  readonly uid: string;
  /** The pool that made it. */
  readonly pool: string | undefined;
}

export interface Signed {
  readonly certificate: string;
  readonly authority: string;
  readonly expires: string;
}

export class NodeSigner {
  readonly authority: KeyAndCertificate;

  constructor(authority: KeyAndCertificate) {
    this.authority = authority;
  }

  async sign(joins: PlaneJoins, caller: Caller, node: SignedNode, pem: string): Promise<Signed> {
    checkOwnNode(caller, node);
    const { signCertificate } = await import("../../shell/certificates/sign-certificate.ts");
    const request = await readPem(pem);
    const name = `${NODE_USER_PREFIX}${node.name}`;
    if (request.name !== name) {
      const message = `The request is for "${request.name.slice(0, 100)}", expected "${name}".`;
      throw new ApiError("not-allowed", message);
    }
    await joins.use(caller, node, request.keyId);
    const nowMs = Date.now();
    const untilMs = nowMs + SIGNER_LIMITS.lifeMs.value;
    const certificate = await signCertificate(this.authority, request.publicKey, {
      subject: { name, organizations: [NODES_GROUP], serial: node.uid },
      life: { fromMs: nowMs - SIGNER_LIMITS.earlyMs.value, untilMs },
    });
    const expires = new Date(untilMs).toISOString();
    return { certificate, authority: this.authority.cert, expires };
  }
}

function checkOwnNode({ name, joins }: Caller, node: SignedNode): void {
  if (joins?.pool === undefined) {
    if (node.name === name) return;
    const whose = `${name} asks for the certificate of node ${node.name}, and has a right to its own.`;
    throw new ApiError("not-allowed", whose);
  }
  if (node.pool === joins.pool) return;
  const message = `Node ${node.name} was not made by pool ${joins.pool}, whose token this is.`;
  throw new ApiError("not-allowed", message);
}

async function readPem(pem: string): Promise<ReadRequest> {
  const { readRequest } = await import("../../shell/certificates/sign-certificate.ts");
  try {
    return await readRequest(pem);
  } catch (error) {
    const reason = error instanceof Error ? error.message : "it cannot be read";
    throw new ApiError("bad-request", `The request for a certificate is wrong: ${reason}.`);
  }
}
