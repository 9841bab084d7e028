/**
 * The tokens and certificates of a plane, read from their files and read again when these change or
 * on SIGHUP. A new file that is wrong changes nothing: what was read before stays in force, and
 * that is said in the log and in the metrics.
 */
import { createSecureContext } from "node:tls";
import type { TlsFiles } from "../api/http/create-api-server.ts";
import type { PeerTrust } from "../api/http/forward-to-leader.ts";
import type { ReloadCounts } from "../api/http/reload-counts.ts";
import type { BearerProof } from "../api/http/authenticate.ts";
import {
  type Authorities,
  Certificates,
  type IsNode,
  readAll,
} from "../api/identity/certificates.ts";
import type { Runs, WorkloadIdentities } from "../api/identity/workload-identities.ts";
import type { NodeSigner } from "../api/identity/node-signer.ts";
import { JwtAuthenticator } from "../api/identity/jwt-authenticator.ts";
import { TokenRegistry } from "../api/identity/token-registry.ts";
import { UserError } from "../shell/errors.ts";
import { readInput } from "../shell/read-input.ts";
import { parseAuthConfig } from "./auth-config.ts";
import { WatchedFiles } from "./watched-files.ts";
import { parseTokens } from "./token-file.ts";

export interface CredentialFiles {
  /** Left out: every user of this machine is let in. */
  readonly tokens?: string | undefined;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  readonly peerCa?: string | undefined;
  /** Authorities that sign certificates of people. */
  readonly clientCa?: string | undefined;
  /** Issuers of JWTs that are accepted beside the tokens. */
  readonly authConfig?: string | undefined;
}

/** With what a plane signs for its agents and replicas. */
export interface Signers {
  readonly signer?: NodeSigner;
  readonly identities?: WorkloadIdentities;
}

/** The part of a logger that is needed here. */
export interface ReloadLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export class PlaneCredentials {
  readonly files: CredentialFiles;
  readonly tokens: TokenRegistry | undefined;
  /** Asked for a bearer token that is not in the list. */
  readonly bearers: readonly BearerProof[];
  readonly certificates: Certificates;
  /** Of agents; left out: no caller needs a credential. */
  readonly signer: NodeSigner | undefined;
  /** Of replicas; left out: they get no tokens. */
  readonly identities: WorkloadIdentities | undefined;
  readonly peers: PeerTrust & { ca: string | undefined };
  private readonly done = new Map<string, number>();
  private readonly failed = new Map<string, number>();
  private readonly stale = new Set<string>();
  readonly reloads: ReloadCounts = { done: this.done, failed: this.failed, stale: this.stale };
  private pair: TlsFiles | undefined;
  private clientCa: string | undefined;
  /** As the plane that serves with these credentials knows it. */
  isNode: IsNode = () => true;
  runs: Runs = () => true;
  private watched: WatchedFiles | undefined;
  private log: ReloadLog | undefined;
  private readonly jwts: JwtAuthenticator | undefined;
  private onTls: (() => void) | undefined;

  /** Throws what is wrong with a file: a plane that has never read a good one does not start. */
  constructor(files: CredentialFiles, { signer, identities }: Signers = {}) {
    this.files = files;
    this.signer = signer;
    this.identities = identities;
    const { tokens, peerCa, authConfig, clientCa } = files;
    this.tokens =
      tokens === undefined ? undefined : new TokenRegistry(parseTokens(readInput(tokens), tokens));
    this.pair = readPair(files.tls);
    this.jwts =
      authConfig === undefined
        ? undefined
        : new JwtAuthenticator({
            rules: readRules(authConfig),
            onTrouble: (message) => this.log?.error({}, message),
          });
    this.clientCa = clientCa === undefined ? undefined : readAuthorities(clientCa);
    this.certificates = new Certificates(this.authorities);
    this.bearers = this.jwts === undefined ? [] : [this.jwts];
    this.peers = { ca: peerCa === undefined ? undefined : readInput(peerCa) };
    for (const what of this.parts().keys()) this.done.set(what, 0);
  }

  get tls(): TlsFiles | undefined {
    return this.pair === undefined ? undefined : this.withAuthorities(this.pair);
  }

  private get authorities(): Authorities {
    return { clients: this.clientCa, nodes: this.signer?.authority.cert };
  }

  /** With the authorities of those who may show a certificate. */
  withAuthorities({ cert, key }: TlsFiles): TlsFiles {
    const { clients, nodes } = this.authorities;
    const clientCas = [clients, nodes].flatMap((text) => text ?? []);
    return { cert, key, ...(clientCas.length === 0 ? {} : { clientCas }) };
  }

  /** From now on changes count. */
  watch(log: ReloadLog): void {
    this.log = log;
    const { tokens, tls, peerCa, authConfig, clientCa } = this.files;
    const named = [tokens, tls?.cert, tls?.key, peerCa, authConfig, clientCa];
    const files = named.flatMap((file) => file ?? []);
    this.watched = new WatchedFiles({
      files,
      onChange: () => this.reload(),
      onLook: () => {
        this.tokens?.endExpired(Date.now());
        this.jwts?.look(Date.now());
        this.certificates.look(Date.now(), this.isNode);
        this.identities?.look(Date.now(), this.runs);
      },
    });
  }

  /** Told of each new certificate, and of new authorities; only the last who asked is. */
  tellTls(tell: () => void): void {
    this.onTls = tell;
  }

  /** On SIGHUP, and when a file has changed. */
  reload(): void {
    for (const [what, read] of this.parts()) this.reloadOne(what, read);
  }

  /** For SIGHUP: a file that the next look would reload is not read twice. */
  reloadNow(): void {
    if (this.watched === undefined) this.reload();
    else this.watched.reload();
  }

  close(): void {
    this.watched?.close();
  }

  private reloadOne(what: string, read: () => object): void {
    try {
      const fields = read();
      this.done.set(what, (this.done.get(what) ?? 0) + 1);
      this.stale.delete(what);
      this.log?.info({ what, ...fields }, "Reloaded the credentials.");
    } catch (error) {
      this.failed.set(what, (this.failed.get(what) ?? 0) + 1);
      this.stale.add(what);
      const message = "Cannot load the new credentials: the previous ones stay in use.";
      this.log?.error({ what, reason: reasonOf(error) }, message);
    }
  }

  private parts(): ReadonlyMap<string, () => object> {
    const { tokens, tls, peerCa, authConfig, clientCa } = this.files;
    const parts = new Map<string, () => object>();
    if (tokens !== undefined) {
      parts.set("tokens", () => {
        const read = parseTokens(readInput(tokens), tokens);
        return { revoked: this.tokens?.replace(read) ?? 0, tokens: read.length };
      });
    }
    if (clientCa !== undefined) {
      parts.set("client-ca", () => {
        this.clientCa = readAuthorities(clientCa);
        this.certificates.replace(this.authorities);
        this.onTls?.();
        return {};
      });
    }
    if (authConfig !== undefined) {
      parts.set("auth-config", () => {
        const rules = readRules(authConfig);
        return { issuers: rules.length, ended: this.jwts?.replace(rules) ?? 0 };
      });
    }
    if (tls !== undefined) parts.set("tls", () => this.takePair(tls));
    if (peerCa !== undefined) {
      parts.set("peer-ca", () => {
        const read = readInput(peerCa);
        createSecureContext({ ca: read });
        this.peers.ca = read;
        return {};
      });
    }
    return parts;
  }

  private takePair(files: { readonly cert: string; readonly key: string }): object {
    const pair = readPair(files);
    const isNew = pair?.cert !== this.pair?.cert || pair?.key !== this.pair?.key;
    this.pair = pair;
    if (isNew) this.onTls?.();
    return { changed: isNew };
  }
}

function readAuthorities(file: string): string {
  const text = readInput(file);
  try {
    readAll(text);
    return text;
  } catch (error) {
    const message = `Expected certificates of authorities as PEM: ${reasonOf(error)}.`;
    throw new UserError("invalid-file", message, { file });
  }
}

const readRules = (file: string) => parseAuthConfig(readInput(file), file);

/** Throws unless the two belong together: a server given others would turn away every handshake. */
function readPair(files: CredentialFiles["tls"]): TlsFiles | undefined {
  if (files === undefined) return undefined;
  const pair = { cert: readInput(files.cert), key: readInput(files.key) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new UserError(
      "invalid-file",
      `The certificate does not match the private key: ${reasonOf(error)}.`,
      {
        file: files.cert,
      },
    );
  }
  return pair;
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
