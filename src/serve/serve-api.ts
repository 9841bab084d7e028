/** Puts the API of a plane on a socket, with or without TLS. */
import type { Server as HttpsServer } from "node:https";
import type { Socket } from "node:net";
import type { ApiLog } from "../api/http/api-context.ts";
import { createApiServer, tlsOptions, type TlsFiles } from "../api/http/create-api-server.ts";
import { DEFAULT_LIMITS } from "../api/http/limits.ts";
import { isNodeOf } from "../api/identity/known-by-plane.ts";
import { runsIn } from "../api/identity/routes-workload-identity.ts";
import { listen } from "../api/http/listen.ts";
import type { HostClock } from "../host/host-clock.ts";
import type { HeldSecretKeys } from "../host/seal/secret-keys.ts";
import type { PlanePort } from "../host/plane-port.ts";
import { UserError } from "../shell/errors.ts";
import type { ListenAddress } from "./listen-address.ts";
import type { PlaneCredentials } from "./plane-credentials.ts";
import { serveTlsToo } from "./serve-tls-too.ts";

export interface ServeOptions {
  readonly plane: PlanePort;
  readonly clock: HostClock;
  readonly log: ApiLog;
  readonly address: ListenAddress;
  readonly credentials: PlaneCredentials;
  /** What secrets are sealed with. Left out: the plane keeps none. */
  readonly secretKeys?: HeldSecretKeys | undefined;
  /** Where the server speaks plain HTTP, it speaks TLS on the same port with this certificate. */
  readonly tlsToo?: TlsFiles | undefined;
  /** The folder of the plane's recording. */
  readonly recordings?: string | undefined;
  /** Where the audit trail is kept beyond the log. */
  readonly auditFolder?: string | undefined;
}

export interface ServedApi {
  readonly url: string;
  /** At once: no request gets an answer any more, neither a waiting one nor a new one. */
  cutOff(): void;
  close(): Promise<void>;
}

/** Readers that do not take the last word are cut off; a plane that was told to stop stops. */
const CLOSE_MS = 3_000;

export async function serveApi(options: ServeOptions): Promise<ServedApi> {
  const { plane, clock, log, address, credentials, recordings, auditFolder, secretKeys } = options;
  const { tokens, bearers, certificates, signer, identities, tls, peers, reloads } = credentials;
  const guards = tokens === undefined ? {} : { auth: { registry: tokens, bearers, certificates } };
  const app = createApiServer({
    plane,
    clock,
    log,
    ...guards,
    ...(signer === undefined ? {} : { signer }),
    ...(identities === undefined ? {} : { identities }),
    reloads,
    peers,
    ...(secretKeys === undefined ? {} : { secretKeys }),
    ...(tls === undefined ? {} : { tls }),
    ...(recordings === undefined ? {} : { recordings }),
    ...(auditFolder === undefined ? {} : { auditFolder }),
  });
  credentials.isNode = isNodeOf(plane);
  credentials.runs = runsIn(plane);
  const own = options.tlsToo;
  const tlsToo =
    own === undefined || tls !== undefined
      ? undefined
      : serveTlsToo(app.server, credentials.withAuthorities(own), DEFAULT_LIMITS.headersTimeoutMs);
  credentials.tellTls(() => {
    const now = credentials.tls;
    // A server that was started with a certificate is one over TLS; new handshakes get the new one.
    const server = app.server as unknown as HttpsServer;
    if (now !== undefined) server.setSecureContext(tlsOptions(now));
    if (own !== undefined) tlsToo?.use(credentials.withAuthorities(own));
  });
  try {
    const url = await listen(app, { ...address, ...guards });
    const close = async (): Promise<void> => {
      tlsToo?.close();
      const cutOff = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS);
      await app.close();
      clearTimeout(cutOff);
    };
    const cutOff = (): void => {
      app.server.on("connection", (socket: Socket) => socket.destroy());
      tlsToo?.close();
      app.server.closeAllConnections();
    };
    return { url, cutOff, close };
  } catch (error) {
    await app.close();
    throw explained(error, address);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "address already in use",
  EADDRNOTAVAIL: "this machine does not have the address",
  EACCES: "permission denied",
};

function explained(error: unknown, { host, port }: ListenAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : REASONS[code];
  if (reason === undefined) return error;
  return new UserError(
    "cannot-listen",
    `${host}:${port}: ${reason}. Stop the other process, or choose another address with --listen.`,
  );
}
