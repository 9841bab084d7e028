/**
 * An agent with a certificate of its own: it registers its node with the bootstrap token, buys the
 * certificate, and has no use for the token from then on.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { NodeCertificate, type NodeCertificateOf } from "../../agent/plane/node-certificate.ts";
import { type NodeDescription, registerNode } from "../../agent/register-node.ts";
import { makeDataFolder } from "../../shell/private-folder.ts";
import { UserError } from "../../shell/errors.ts";

export const hasCertificate = (folder: string): boolean => existsSync(join(folder, "node.pem"));

export async function certified(
  of: Omit<NodeCertificateOf, "node"> & { readonly node: NodeDescription },
  stopped: Promise<string>,
): Promise<NodeCertificate> {
  const { node, servers, folder, base, note } = of;
  const plain = servers.find(({ protocol }) => protocol !== "https:");
  if (plain !== undefined) {
    const message = `${plain.href} is plain HTTP, and a certificate is shown over TLS only: use https.`;
    throw new UserError("bad-usage", message);
  }
  makeDataFolder(folder);
  const certificate = new NodeCertificate({ ...of, node: node.name });
  // What runs here is looked after also when the certificate has ended and no token is there.
  if (!certificate.isValid && base.token !== undefined) {
    const registering = new AbortController();
    const { signal } = registering;
    const registered = registerNode({ node, servers, note, signal, credentials: base });
    const joined = certificate.join().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UserError("request-refused", `This node cannot join: ${reason}.`);
    });
    joined.catch(() => undefined);
    try {
      await Promise.race([joined, stopped]);
    } finally {
      registering.abort();
      await registered;
    }
  }
  certificate.start();
  return certificate;
}
