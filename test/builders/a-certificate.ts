/**
 * A certificate that a server signs for itself, made on the spot: a key in the project would be everybody's key.
 * It is the smallest form of X.509 that TLS takes: a name, a validity, an Ed25519 key and its signature.
 */
import { generateKeyPairSync, sign } from "node:crypto";

export interface ACertificate {
  readonly cert: string;
  readonly key: string;
}

const ED25519 = Buffer.from("300506032b6570", "hex");
const COMMON_NAME = Buffer.from("0603550403", "hex");

export function aCertificate(name = "localhost"): ACertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const subject = sequence(
    tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(name, "utf8")))),
  );
  // Whole centuries, so that no test ever meets the end of it.
  const validity = sequence(time("20000101000000Z"), time("22000101000000Z"));
  const spki = publicKey.export({ type: "spki", format: "der" });
  const serial = tagged(0x02, Buffer.from([1]));
  const signed = sequence(serial, ED25519, subject, validity, subject, spki);
  const signature = Buffer.concat([Buffer.from([0]), sign(null, signed, privateKey)]);
  const der = sequence(signed, ED25519, tagged(0x03, signature));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

const time = (text: string): Buffer => tagged(0x18, Buffer.from(text, "ascii"));

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));

/** Tag, length, value; everything here is shorter than 64 KiB. */
function tagged(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.from([tag, ...size]), value]);
}
