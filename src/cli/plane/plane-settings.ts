/** What was said about a plane on the command line, read and checked before anything is opened. */
import { hostname } from "node:os";
import { DEFAULT_LISTEN } from "../client/find-server.ts";
import { ensureOwnTokens, type OwnTokens } from "../client/own-tokens.ts";
import { dataFolder } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import type { PlaneCommandOptions } from "../commands/plane.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { readLease } from "../../serve/read-lease.ts";
import { findFreePort } from "../../serve/free-port.ts";
import {
  ensureLoopbackCertificate,
  type LoopbackCertificate,
} from "../../serve/loopback-certificate.ts";
import { checkGuarded, type ListenAddress, parseListen } from "../../serve/listen-address.ts";
import { type OtlpSettings, readOtlp } from "./otlp-settings.ts";
import { type ProvisionerPlan, readProvisioners } from "../provision/provisioner-plan.ts";
import { parseServers } from "../client/parse-servers.ts";
import { type RegionalSettings, readRegional } from "./regional-settings.ts";
import { openSigner, type SignerFiles } from "../../serve/signer-files.ts";
import { WorkloadIdentities } from "../../api/identity/workload-identities.ts";
import {
  type CredentialFiles,
  PlaneCredentials,
  type Signers,
} from "../../serve/plane-credentials.ts";
import { PlaneSecretKeys } from "../../serve/plane-secret-keys.ts";

/** More than this only get in each other's way: they share one view of the same nodes. */
const MOST_SCHEDULERS = 16;
export interface PlaneSettings {
  readonly folder: string;
  readonly address: ListenAddress;
  /** Where others reach it. */
  readonly url: string;
  readonly name: string;
  readonly store: string;
  readonly leaseSeconds: number | undefined;
  readonly schedulers: number;
  readonly credentials: PlaneCredentials;
  readonly secretKeys: PlaneSecretKeys;
  readonly mayLackKeys: boolean;
  /** Where no token file was named: those that the plane keeps itself. */
  readonly ownTokens: OwnTokens | undefined;
  /** For a plane with tokens and without a certificate of its own: it serves this machine only. */
  readonly tlsToo: LoopbackCertificate | undefined;
  readonly otlp: OtlpSettings | undefined;
  readonly decisionLog: string | undefined;
  readonly provisioners: readonly ProvisionerPlan[];
  /** Where agents of new machines find the planes, as `--server` takes it. */
  readonly provisionerServer: string;
  /** Set for the plane of one region. */
  readonly regional: RegionalSettings | undefined;
}

export async function readPlaneSettings(options: PlaneCommandOptions): Promise<PlaneSettings> {
  const { tokenFile, peerCa, authConfig, clientCa, insecureLocal = false } = options;
  if (insecureLocal && tokenFile !== undefined) {
    throw new UserError("bad-usage", "--insecure-local and --token-file cannot be used together.");
  }
  if (insecureLocal && clientCa !== undefined) {
    throw new UserError("bad-usage", "--insecure-local and --client-ca cannot be used together.");
  }
  if (insecureLocal && authConfig !== undefined) {
    throw new UserError("bad-usage", "--insecure-local and --auth-config cannot be used together.");
  }
  const tls = certificateFiles(options);
  const asked = parseListen(options.listen ?? DEFAULT_LISTEN);
  checkGuarded(asked, { hasCertificate: tls !== undefined, hasTokens: tokenFile !== undefined });
  const folder = dataFolder(options);
  const hasTokens = !insecureLocal;
  // Others are told the address before anybody listens there.
  const port = asked.port === 0 ? await findFreePort(asked.host) : asked.port;
  const address = { ...asked, port };
  const url = options.advertise === undefined ? urlOf(address, tls) : readUrl(options.advertise);
  const { secretKeyFile: file, secretKeyCommand: command } = options;
  if (file !== undefined && command !== undefined) {
    throw new UserError(
      "bad-usage",
      "--secret-key-file and --secret-key-command cannot be used together.",
    );
  }
  const settings = {
    folder,
    secretKeys: await PlaneSecretKeys.open({ file, command }),
    mayLackKeys: options.unreadableSecrets === true,
    address,
    url,
    name: options.name ?? `${hostname()}:${port}`,
    // From the environment, because an address with a password in it is nothing for the list of
    // processes.
    store: options.store ?? (process.env["BERTH_STORE"] || "sqlite"),
    leaseSeconds: options.lease === undefined ? undefined : readLease(options.lease),
    schedulers: readSchedulers(options.schedulers),
    otlp: readOtlp(options, process.env),
    decisionLog: options.decisionLog,
    provisioners: readProvisioners(options, { hasTokens }),
    provisionerServer: readProvisionerServer(options) ?? url,
    regional: readRegional(options),
  };
  // Last of all: a command that is refused leaves no files.
  const ownTokens = tokenFile === undefined && hasTokens ? ensureOwnTokens(folder) : undefined;
  const tokens = tokenFile ?? ownTokens?.list;
  const signers = hasTokens ? await openSigners(options, settings) : {};
  const credentials = new PlaneCredentials({ tokens, tls, peerCa, authConfig, clientCa }, signers);
  const isPlain = tls === undefined && tokens !== undefined;
  const tlsToo = isPlain ? ensureLoopbackCertificate(folder, Date.now()) : undefined;
  return { ...settings, credentials, ownTokens, tlsToo };
}

function urlOf({ host, port }: ListenAddress, tls: CredentialFiles["tls"]): string {
  const shown = host.includes(":") ? `[${host}]` : host;
  return `${tls === undefined ? "http" : "https"}://${shown}:${port}`;
}

function readUrl(text: string): string {
  try {
    const url = new URL(text);
    if (url.protocol === "http:" || url.protocol === "https:") return url.href.replace(/\/$/, "");
  } catch {
    // Falls through: whatever the parser has against it, the person needs to see the expected form.
  }
  throw new UserError(
    "bad-usage",
    `--advertise: found "${text}", expected an address such as https://plane-1.example:6900.`,
  );
}

function readProvisionerServer({ provisionerServer }: PlaneCommandOptions): string | undefined {
  if (provisionerServer === undefined) return undefined;
  const servers = parseServers(provisionerServer, "--provisioner-server");
  return servers.map(({ href }) => href.replace(/\/$/, "")).join(",");
}

function certificateFiles({ tlsCert, tlsKey }: PlaneCommandOptions): CredentialFiles["tls"] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new UserError("bad-usage", "--tls-cert and --tls-key must be used together.");
  }
  return { cert: tlsCert, key: tlsKey };
}

async function openSigners(
  options: PlaneCommandOptions,
  { folder, url }: Pick<PlaneSettings, "folder" | "url">,
): Promise<Signers> {
  const signer = await openSigner(folder, signerFiles(options));
  const issuer = options.issuer ?? url.replace(/^http:/, "https:");
  if (!/^https:\/\/[^/?#@]+(?:\/[^?#]*[^/?#])?$/.test(issuer)) {
    const message = `--issuer: found "${issuer}", expected an https address without a slash at its end.`;
    throw new UserError("bad-usage", message);
  }
  return { signer, identities: new WorkloadIdentities(signer.authority.key, issuer) };
}

function signerFiles({ signerCert, signerKey }: PlaneCommandOptions): SignerFiles | undefined {
  if (signerCert === undefined && signerKey === undefined) return undefined;
  if (signerCert === undefined || signerKey === undefined) {
    throw new UserError("bad-usage", "--signer-cert and --signer-key must be used together.");
  }
  return { cert: signerCert, key: signerKey };
}

function readSchedulers(text: string | undefined): number {
  const schedulers = text === undefined ? 1 : readWholeNumber("--schedulers", text);
  if (schedulers >= 1 && schedulers <= MOST_SCHEDULERS) return schedulers;
  throw new UserError(
    "bad-usage",
    `--schedulers: found ${schedulers}, expected 1 to ${MOST_SCHEDULERS}.`,
  );
}
