/**
 * Makes keys, requests for certificates, and certificates. Loaded only by those who sign or ask:
 * the library takes longer to load than most commands take to run.
 */
import "reflect-metadata";
import { randomBytes, webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

type CryptoKey = webcrypto.CryptoKey;

x509.cryptoProvider.set(webcrypto);

/** Every library for TLS has it, and a certificate is 500 bytes. */
const KEYS = { name: "ECDSA", namedCurve: "P-256" } as const;
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" } as const;

export interface KeyAndCertificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

/** Attributes as data: in a text, a name could bring in another attribute. */
export interface SubjectNames {
  readonly name: string;
  readonly organizations?: readonly string[];
  /** The attribute `serialNumber` of the subject. */
  readonly serial?: string;
}

export interface Lifetime {
  readonly fromMs: number;
  readonly untilMs: number;
}

const nameOf = ({ name, organizations = [], serial }: SubjectNames): x509.JsonName => [
  { CN: [name] },
  ...organizations.map((each) => ({ O: [each] })),
  ...(serial === undefined ? [] : [{ "2.5.4.5": [serial] }]),
];

/** Positive and without leading zeros, as its encoding demands. */
const newSerial = (): string => `01${randomBytes(15).toString("hex")}`;

const pemOfKey = async (key: CryptoKey): Promise<string> => {
  const der = await webcrypto.subtle.exportKey("pkcs8", key);
  return x509.PemConverter.encode(der, "PRIVATE KEY");
};

const keyOfPem = (pem: string): Promise<CryptoKey> => {
  const [der] = x509.PemConverter.decode(pem);
  if (der === undefined) throw new Error("the text has no private key");
  return webcrypto.subtle.importKey("pkcs8", der, KEYS, true, ["sign"]);
};

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(KEYS, true, ["sign", "verify"]);

/** An authority that signs leaves only. */
export async function makeAuthority(name: string, life: Lifetime): Promise<KeyAndCertificate> {
  const keys = await newKeys();
  const { keyCertSign, cRLSign } = x509.KeyUsageFlags;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: newSerial(),
    name: nameOf({ name }),
    notBefore: new Date(life.fromMs),
    notAfter: new Date(life.untilMs),
    signingAlgorithm: SIGNATURE,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(keyCertSign | cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { key: await pemOfKey(keys.privateKey), cert: `${certificate.toString("pem")}\n` };
}

/** A key that stays where it was made, and the request that its authority gets. */
export async function makeRequest(name: string): Promise<{ key: string; request: string }> {
  const keys = await newKeys();
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: nameOf({ name }),
    keys,
    signingAlgorithm: SIGNATURE,
  });
  return { key: await pemOfKey(keys.privateKey), request: `${request.toString("pem")}\n` };
}

export interface ReadRequest {
  /** The common name that it asks for. */
  readonly name: string;
  readonly publicKey: x509.PublicKey;
  /** Of the public key, in base64url. */
  readonly keyId: string;
}

/** Throws if it is no request, or its sender does not have the key. */
export async function readRequest(pem: string): Promise<ReadRequest> {
  const request = new x509.Pkcs10CertificateRequest(pem);
  const { publicKey } = request;
  const { name, namedCurve } = publicKey.algorithm as webcrypto.EcKeyAlgorithm;
  if (name !== KEYS.name || namedCurve !== KEYS.namedCurve) {
    throw new Error(`its key is ${name} ${namedCurve ?? ""}, and ECDSA P-256 is accepted`);
  }
  if (!(await request.verify())) throw new Error("its signature does not match its key");
  const names = request.subjectName.getField("CN");
  if (names.length !== 1) throw new Error("its subject needs one common name");
  const digest = await webcrypto.subtle.digest("SHA-256", publicKey.rawData);
  return { name: names[0] ?? "", publicKey, keyId: Buffer.from(digest).toString("base64url") };
}

/** Of all that the request says, only its key enters the certificate. */
export async function signCertificate(
  authority: KeyAndCertificate,
  publicKey: x509.PublicKey,
  of: { readonly subject: SubjectNames; readonly life: Lifetime },
): Promise<string> {
  const issuer = new x509.X509Certificate(authority.cert);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: newSerial(),
    subject: nameOf(of.subject),
    issuer: issuer.subjectName,
    notBefore: new Date(of.life.fromMs),
    notAfter: new Date(of.life.untilMs),
    signingAlgorithm: SIGNATURE,
    publicKey,
    signingKey: await keyOfPem(authority.key),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return `${certificate.toString("pem")}\n`;
}
