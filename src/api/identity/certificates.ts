/**
 * Knows callers by the certificate with which they opened their connection. Two kinds of
 * authorities sign them. Those of `--client-ca` sign people: the common name is the user, and the
 * organizations are the groups, as in Kubernetes. The plane's own signer signs agents, each with
 * the uid of its node, so that the certificate is void once that node is deleted.
 */
import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { NODES_GROUP, NODE_USER_PREFIX } from "../../core/model/access.ts";
import { ApiError } from "../errors.ts";
import type { Caller } from "../http/caller.ts";
import { Credential } from "../http/credential.ts";
import { JWT_LIMITS } from "./jwt-limits.ts";
import { isReservedName } from "./reserved-name.ts";
import type { VouchedCertificate } from "./voucher.ts";

/** Whether a node of this name exists that has this uid. */
export type IsNode = (name: string, uid: string) => boolean;

export interface Authorities {
  /** PEM texts, each with one certificate or more. */
  readonly clients?: string | undefined;
  /** Of the plane's own signer. */
  readonly nodes?: string | undefined;
}

interface Known {
  readonly credential: Credential;
  /** Of an agent: the uid of its node. */
  readonly uid?: string;
}

/** Chains are a leaf, perhaps an issuing authority or two, and a root that the plane has. */
const LONGEST_CHAIN = 4;

export class Certificates {
  private clients: readonly X509Certificate[] = [];
  private nodes: readonly X509Certificate[] = [];
  /** By fingerprint; bounded by dropping the oldest that has nothing open. */
  private readonly known = new Map<string, Known>();
  private readonly ids = new WeakMap<Credential, string>();
  /** A connection keeps its certificate, and reading one takes longer than most requests. */
  private readonly ofSocket = new WeakMap<TLSSocket, X509Certificate>();

  constructor(authorities: Authorities) {
    this.replace(authorities);
  }

  /** Throws if a text is no certificate. What authorities that are gone have signed is over. */
  replace({ clients, nodes }: Authorities): void {
    const read = [clients, nodes].map((text) => (text === undefined ? [] : readAll(text)));
    [this.clients = [], this.nodes = []] = read;
    for (const { credential } of this.known.values()) credential.revoke();
    this.known.clear();
  }

  /** Undefined: the caller has shown none. Throws why one is refused. */
  find(socket: Socket, isNode: IsNode): Credential | undefined {
    if (!(socket instanceof TLSSocket)) return undefined;
    const certificate = this.ofSocket.get(socket) ?? socket.getPeerX509Certificate();
    if (certificate === undefined) return undefined;
    this.ofSocket.set(socket, certificate);
    const id = certificate.fingerprint256;
    const known = this.known.get(id) ?? this.verify(socket, certificate);
    if (known.uid !== undefined && !isNode(known.credential.caller.name, known.uid)) {
      throw deletedNode();
    }
    this.keep(id, known);
    return known.credential;
  }

  /** What the leader is told of it. */
  shownFor(credential: Credential): VouchedCertificate | undefined {
    const id = this.ids.get(credential);
    if (id === undefined) return undefined;
    const uid = this.known.get(id)?.uid;
    const { kind, name, groups, credentialId = "" } = credential.caller;
    const caller = { kind, name, groups, credentialId };
    const untilMs = credential.expiresMs ?? 0;
    return { id, caller, untilMs, ...(uid === undefined ? {} : { uid }) };
  }

  /** Another plane has verified it on a connection of its own. */
  vouched({ id: shown, caller, uid, untilMs }: VouchedCertificate, isNode: IsNode): Credential {
    // Apart from those on own connections, which this plane has verified itself.
    const id = `vouched ${shown}`;
    if (uid !== undefined && !isNode(caller.name, uid)) throw deletedNode();
    const known = this.known.get(id) ?? {
      credential: new Credential({ ...caller, how: "certificate" }, untilMs),
      ...(uid === undefined ? {} : { uid }),
    };
    this.keep(id, known);
    return known.credential;
  }

  /** Ends what is open under certificates that have ended, and under those of deleted nodes. */
  look(wallMs: number, isNode: IsNode): void {
    for (const [id, { credential, uid }] of this.known) {
      const isGone = uid !== undefined && !isNode(credential.caller.name, uid);
      if (!isGone && !credential.hasExpired(wallMs)) continue;
      this.known.delete(id);
      credential.revoke();
    }
  }

  private verify(socket: TLSSocket, certificate: X509Certificate): Known {
    // Dates, purposes and the constraints of each authority are checked by OpenSSL.
    if (!socket.authorized) {
      throw refused(`was not signed by an authority of this plane (${reasonOf(socket)})`);
    }
    const isOf = (authority: X509Certificate): boolean => isSignedBy(certificate, authority);
    const agent = this.nodes.some(isOf) ? agentOf(certificate) : undefined;
    const caller = agent?.caller ?? this.personOf(certificate);
    const credentialId = certificate.serialNumber.toLowerCase();
    const whole = { ...caller, how: "certificate", credentialId } as const;
    const credential = new Credential(whole, Date.parse(certificate.validTo));
    return { credential, ...(agent === undefined ? {} : { uid: agent.uid }) };
  }

  private personOf(certificate: X509Certificate): Pick<Caller, "kind" | "name" | "groups"> {
    if (!this.isOfClients(certificate)) throw refused("was signed by no authority in --client-ca");
    const { names, organizations: groups } = subjectOf(certificate);
    const [name, ...others] = names;
    if (name === undefined || others.length > 0) throw refused("needs one common name");
    if (groups.length > JWT_LIMITS.groups.value) {
      throw refused(`has ${groups.length} organizations, and at most 256 are accepted`);
    }
    for (const each of [name, ...groups]) checkName(each);
    return { kind: "user", name, groups };
  }

  /** OpenSSL trusts all authorities alike; which one it was decides whose name it may give. */
  private isOfClients(certificate: X509Certificate): boolean {
    let link: X509Certificate | undefined = certificate;
    for (let length = 0; link !== undefined && length < LONGEST_CHAIN; length += 1) {
      const signed: X509Certificate = link;
      if (this.clients.some((authority) => isSignedBy(signed, authority))) return true;
      const above: X509Certificate | undefined = signed.issuerCertificate;
      link = above !== undefined && above.ca && isSignedBy(signed, above) ? above : undefined;
    }
    return false;
  }

  private keep(id: string, known: Known): void {
    if (this.known.has(id)) return;
    this.known.set(id, known);
    this.ids.set(known.credential, id);
    if (this.known.size <= JWT_LIMITS.kept.value) return;
    for (const [other, { credential }] of this.known) {
      if (credential.openCount > 0 || other === id) continue;
      this.known.delete(other);
      return;
    }
  }
}

const refused = (why: string): ApiError =>
  new ApiError("not-authenticated", `The client certificate ${why}.`);

const deletedNode = (): ApiError =>
  refused("is of a node that was deleted: the agent needs a new bootstrap token");

/** Of an agent: its node and the uid that this node had when the certificate was signed. */
function agentOf(certificate: X509Certificate) {
  const { names, organizations, serials } = subjectOf(certificate);
  const [name = ""] = names;
  const [uid] = serials;
  const isAgent = name.startsWith(NODE_USER_PREFIX) && organizations.join() === NODES_GROUP;
  if (!isAgent || uid === undefined) throw refused("is of the plane's signer, and of no node");
  const caller = { kind: "agent", name: name.slice(NODE_USER_PREFIX.length), groups: [] } as const;
  return { caller, uid };
}

/** Each attribute with all of its values, as OpenSSL reads them: a text form would need parsing. */
function subjectOf(certificate: X509Certificate) {
  const { CN, O, serialNumber } = certificate.toLegacyObject().subject as unknown as Readonly<
    Record<string, string | readonly string[] | undefined>
  >;
  return { names: valuesOf(CN), organizations: valuesOf(O), serials: valuesOf(serialNumber) };
}

const valuesOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();

function checkName(name: string): void {
  const { value: most } = JWT_LIMITS.nameLength;
  if (name === "" || name.length > most || /[\p{C}\p{Zl}\p{Zp}]/u.test(name)) {
    throw refused(`needs names of 1 to ${most} printable characters`);
  }
  if (isReservedName(name)) throw refused(`states "${name}", which is a name of the plane's own`);
}

const isSignedBy = (certificate: X509Certificate, authority: X509Certificate): boolean =>
  certificate.checkIssued(authority) && certificate.verify(authority.publicKey);

/** A string of Node's, although its type says Error. */
const reasonOf = ({ authorizationError: error }: TLSSocket): string =>
  error instanceof Error ? error.message : String(error);

const PEM = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

export function readAll(text: string): readonly X509Certificate[] {
  const found = text.match(PEM) ?? [];
  if (found.length === 0) throw new Error("the text has no certificate");
  return found.map((each) => new X509Certificate(each));
}
