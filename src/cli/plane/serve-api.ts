/** Puts the API of a plane on a socket, with or without TLS. */
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import type { ApiLog } from "../../api/server/api-context.ts";
import type { ApiAuth } from "../../api/server/authenticate.ts";
import { createApiServer } from "../../api/server/create-api-server.ts";
import { listen } from "../../api/server/listen.ts";
import type { HostClock } from "../../host/host-clock.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { UserError } from "../errors.ts";
import type { ListenAddress } from "./listen-address.ts";

export interface ServeOptions {
  readonly plane: PlanePort;
  readonly clock: HostClock;
  readonly log: ApiLog;
  readonly address: ListenAddress;
  readonly auth: ApiAuth | undefined;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
}

export interface ServedApi {
  readonly url: string;
  close(): Promise<void>;
}

/** Readers that do not take the last word are cut off; a plane that was told to stop stops. */
const CLOSE_MS = 3_000;

export async function serveApi(options: ServeOptions): Promise<ServedApi> {
  const { plane, clock, log, address, auth, tls } = options;
  const app = createApiServer({ plane, clock, log, ...(auth === undefined ? {} : { auth }) });
  try {
    if (tls === undefined) {
      const url = await listen(app, { ...address, ...(auth === undefined ? {} : { auth }) });
      const close = async (): Promise<void> => {
        const cutOff = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS);
        await app.close();
        clearTimeout(cutOff);
      };
      return { url, close };
    }
    await app.ready();
    // fastify is told at its creation whether it speaks TLS, and this one was made by the API; its routes
    // can be reached from a server of ours all the same.
    const server = createServer(tls, (request, response) => app.routing(request, response));
    const url = await listenTls(server, address);
    const close = async (): Promise<void> => {
      const cutOff = setTimeout(() => server.closeAllConnections(), CLOSE_MS);
      const closed = new Promise((resolve) => server.close(resolve));
      await app.close();
      server.closeIdleConnections();
      await closed;
      clearTimeout(cutOff);
    };
    return { url, close };
  } catch (error) {
    await app.close();
    throw explained(error, address);
  }
}

/** Every address of the machine is no address to call; its own is one of them. */
const WILDCARDS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

function listenTls(server: Server, { host, port }: ListenAddress): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port }, () => {
      const { port: actual } = server.address() as AddressInfo;
      const reached = WILDCARDS[host] ?? host;
      resolve(`https://${reached.includes(":") ? `[${reached}]` : reached}:${actual}`);
    });
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "something else listens there already",
  EADDRNOTAVAIL: "this machine does not have that address",
  EACCES: "this user may not listen there",
};

function explained(error: unknown, { host, port }: ListenAddress): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : REASONS[code];
  if (reason === undefined) return error;
  return new UserError(
    "cannot-listen",
    `${host}:${port}: ${reason}. Stop what is there, or choose another with --listen.`,
  );
}
