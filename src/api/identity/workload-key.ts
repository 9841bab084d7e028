/**
 * The key that signs tokens of replicas. It is derived from the key of the plane's signer, so that
 * planes with the same signer publish one key, and is another key than that: no token can be taken
 * for a certificate.
 */
import { createECDH, createHash, createPrivateKey, hkdfSync, type KeyObject } from "node:crypto";

export interface WorkloadKey {
  readonly privateKey: KeyObject;
  readonly kid: string;
  /** As `/openid/v1/jwks` shows it. */
  readonly shown: Readonly<Record<string, string>>;
}

const PURPOSE = "berth workload identity ES256";
const SCALAR_BYTES = 32;
const POINT_BYTES = 65;

export function workloadKeyFrom(signerKey: string): WorkloadKey {
  const secret = createPrivateKey(signerKey).export({ type: "pkcs8", format: "der" });
  for (let tries = 0; ; tries += 1) {
    const info = `${PURPOSE} ${tries}`;
    const scalar = Buffer.from(hkdfSync("sha256", secret, "", info, SCALAR_BYTES));
    const point = publicPointOf(scalar);
    // One of four billion is beyond the order of the curve: the next one is not.
    if (point !== undefined) return keyOf(scalar, point);
  }
}

function publicPointOf(scalar: Buffer): Buffer | undefined {
  const curve = createECDH("prime256v1");
  try {
    curve.setPrivateKey(scalar);
    return curve.getPublicKey();
  } catch {
    return undefined;
  }
}

function keyOf(scalar: Buffer, point: Buffer): WorkloadKey {
  const at = 1 + SCALAR_BYTES;
  const x = point.subarray(1, at).toString("base64url");
  const y = point.subarray(at, POINT_BYTES).toString("base64url");
  const open = { kty: "EC", crv: "P-256", x, y } as const;
  const d = scalar.toString("base64url");
  const privateKey = createPrivateKey({ key: { ...open, d }, format: "jwk" });
  const kid = createHash("sha256").update(point).digest("base64url").slice(0, 22);
  return { privateKey, kid, shown: { ...open, kid, use: "sig", alg: "ES256" } };
}
