/**
 * Opens a session with a replica at the plane that leads: the others turn it away, and the next one
 * is asked.
 */
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { UserError } from "../../shell/errors.ts";
import {
  NoWebSocket,
  openWebSocket,
  upgradeHeaders,
} from "../../shell/web-socket/open-web-socket.ts";
import type { WebSocketLink } from "../../shell/web-socket/web-socket.ts";
import type { ApiClient } from "../client/api-client.ts";
import { refuse } from "../client/open-request.ts";
import { bearerOf } from "../client/bearer-of.ts";
import { ownName } from "../client/own-name.ts";
import { explained } from "../client/plane-trouble.ts";
import { Refusal } from "../client/refusal.ts";

export interface SessionPath {
  readonly path: string;
  readonly query: URLSearchParams;
}

export async function openSession(client: ApiClient, of: SessionPath): Promise<WebSocketLink> {
  const { urls } = client.server;
  const first = Math.max(0, urls.indexOf(client.url));
  const inTurn = [...urls.slice(first), ...urls.slice(0, first)];
  let last: unknown = new UserError("plane-unreachable", "No plane is known.");
  for (const url of inTurn) {
    try {
      return await openAt(client, url, of);
    } catch (error) {
      last = explained(error, url, client.server);
      const isElsewhere = !(last instanceof Refusal) || last.status.code === 503;
      if (!isElsewhere) throw last;
    }
  }
  throw last;
}

async function openAt(client: ApiClient, url: URL, of: SessionPath): Promise<WebSocketLink> {
  const { server } = client;
  const target = new URL(url);
  target.pathname = `${url.pathname.replace(/\/$/, "")}${of.path}`;
  target.search = of.query.toString();
  const as = ownName(server);
  const token = await bearerOf(server);
  const headers = {
    ...upgradeHeaders(),
    "user-agent": "berth",
    ...(as === undefined ? {} : { "berth-as": as }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const send = target.protocol === "https:" ? httpsRequest : httpRequest;
  const { ca } = server;
  try {
    return await openWebSocket(
      send(target, { headers, agent: false, ...(ca === undefined ? {} : { ca }) }),
    );
  } catch (error) {
    if (error instanceof NoWebSocket) return refuse(error.response);
    throw error;
  }
}
