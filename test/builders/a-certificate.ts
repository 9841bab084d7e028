/** A certificate that a server signs for itself, made on the spot: a key in the project would be known to all its readers. */
import { selfSignedCertificate } from "../../src/serve/self-signed-certificate.ts";

export interface ACertificate {
  readonly cert: string;
  readonly key: string;
}

/** Whole centuries, so that no test ever meets the end of it. */
const FROM_MS = Date.UTC(2000, 0);
const UNTIL_MS = Date.UTC(2200, 0);

export const aCertificate = (name = "localhost"): ACertificate =>
  selfSignedCertificate({ name, fromMs: FROM_MS, untilMs: UNTIL_MS });
