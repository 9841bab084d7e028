/**
 * A plane on a log in memory with its API in front. Unless a test asks for controllers none run: what happens
 * is what the test does.
 */
import { inspect } from "node:util";
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from "fastify";
import type { ApiObject } from "../../src/api/api-kind.ts";
import type { GivenAuth } from "../../src/api/http/authenticate.ts";
import type { ApiToken } from "../../src/api/identity/token-registry.ts";
import { createApiServer, type TlsFiles } from "../../src/api/http/create-api-server.ts";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import type { Intent } from "../../src/core/protocol/command.ts";
import type { Reply } from "../../src/core/protocol/outcome.ts";
import type { Actor, Role } from "../../src/core/model/actor.ts";
import { operationId } from "../../src/core/model/ids.ts";
import type { Controllers } from "../../src/host/controllers.ts";
import { createHostClock, type HostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import type { PlanePort } from "../../src/host/plane-port.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { grantAll } from "../builders/grant.ts";
import type { UnnamedIntent } from "../builders/a-plane.ts";

export const BERTH = "/apis/berth.dev/v1";
export const WORKLOADS = `${BERTH}/namespaces/payments/workloads`;

export interface Api {
  readonly app: FastifyInstance;
  readonly plane: Plane;
  get(url: string, headers?: Record<string, string>): Promise<Answer>;
  post(url: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(url: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(
    url: string,
    body: unknown,
    type?: string,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  delete(url: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The plane keeps nothing before this revision in memory any more. */
  forget(revision: number): void;
  /** From now on every write is answered `unavailable`. */
  stopLeading(): void;
  /** As the component that owns it would send it. */
  send(intent: UnnamedIntent, role: Role, name?: string): Promise<void>;
  /** Rejects when the server has logged an error: whatever a client sends, that is a bug. */
  close(): Promise<void>;
}

export interface Answer {
  readonly status: number;
  readonly headers: LightMyRequestResponse["headers"];
  readonly text: string;
  readonly json: AnyJson;
}

/** Tests reach into answers freely; a field that is not there is undefined and fails the expectation. */
export interface AnyJson {
  readonly [name: string]: AnyJson;
  readonly [index: number]: AnyJson;
}

export async function anApi(
  of: {
    readonly auth?: GivenAuth;
    /** The users of these tokens may do everything. Left out: those of `auth`. */
    readonly admins?: readonly ApiToken[];
    readonly tls?: TlsFiles;
    readonly limits?: Partial<ApiLimits>;
    readonly webFolder?: string;
    readonly promisesQuietMs?: number;
    readonly auditFolder?: string;
    /** Left out: the machine's. */
    readonly clock?: HostClock;
    /** Left out: none run. */
    readonly controllers?: () => Controllers;
  } = {},
): Promise<Api> {
  const store = new MemoryLog();
  const clock = of.clock ?? createHostClock();
  const createControllers = of.controllers ?? (() => []);
  const plane = await Plane.open({ store, clock, createControllers });
  const { auth } = of;
  await grantAll(plane, of.admins ?? (auth !== undefined && "tokens" in auth ? auth.tokens : []));
  let forgotten = 0;
  let leads = true;
  const port = Object.create(plane, {
    since: { value: (from: number) => (from < forgotten ? undefined : plane.since(from)) },
    isLeading: { get: () => leads && plane.isLeading },
    submit: {
      value: (intent: Intent, actor: Actor): Promise<Reply> =>
        leads ? plane.submit(intent, actor) : Promise.resolve({ kind: "unavailable" }),
    },
  }) as PlanePort;
  const errors: unknown[] = [];
  const log = {
    info: () => {},
    warn: () => {},
    error: (fields: object) => void errors.push(fields),
  };
  const { controllers: _, admins: __, clock: ___, ...served } = of;
  const app = createApiServer({ plane: port, clock, log, ...served });
  const call = async (options: InjectOptions): Promise<Answer> => {
    const response = await app.inject(options);
    const { statusCode: status, headers, payload: text } = response;
    return { status, headers, text, json: parsed(text) };
  };
  const write =
    (method: "POST" | "PUT") =>
    (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
      call({ method, url, headers: { ...JSON_BODY, ...headers }, payload: textOf(body) });
  let sent = 0;
  return {
    app,
    plane,
    forget: (revision) => {
      forgotten = revision;
    },
    stopLeading: () => {
      leads = false;
    },
    get: (url, headers = {}) => call({ method: "GET", url, headers }),
    post: write("POST"),
    put: write("PUT"),
    patch: (url, body, type = "application/merge-patch+json", headers = {}) =>
      call({
        method: "PATCH",
        url,
        headers: { ...headers, "content-type": type },
        payload: textOf(body),
      }),
    delete: (url, body, headers = {}) =>
      call({
        method: "DELETE",
        url,
        headers,
        ...(body === undefined
          ? {}
          : { headers: { ...JSON_BODY, ...headers }, payload: textOf(body) }),
      }),
    send: async (intent, role, as) => {
      sent += 1;
      const isAgent = role === "agent" && "node" in intent;
      const name = as ?? (isAgent ? `agent:${intent.node}` : role);
      const operation = operationId(`test-${sent}`);
      const reply = await plane.submit({ ...intent, operation }, { role, name });
      if (reply.kind === "outcome" && reply.outcome.kind === "committed") return;
      throw new Error(`${intent.kind} was not committed: ${JSON.stringify(reply)}`);
    },
    close: async () => {
      await app.close();
      await plane.close();
      if (errors.length > 0) throw new Error(`The server logged errors: ${inspect(errors)}`);
    },
  };
}

/** The text or number at the end of a path through an answer. */
export function textAt(json: AnyJson, ...path: readonly string[]): string {
  let at: AnyJson | undefined = json;
  for (const name of path) at = at?.[name];
  return typeof at === "object" ? JSON.stringify(at) : String(at);
}

const JSON_BODY = { "content-type": "application/json" };

const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body));

function parsed(text: string): AnyJson {
  try {
    return JSON.parse(text) as AnyJson;
  } catch {
    return {};
  }
}

export const aTenantObject = (name = "payments") => ({
  apiVersion: "berth.dev/v1",
  kind: "Tenant",
  metadata: { name },
});

export const aWorkloadObject = (
  name = "api",
  of: {
    readonly spec?: Readonly<Record<string, unknown>>;
    readonly metadata?: Readonly<Record<string, unknown>>;
  } = {},
): ApiObject & { readonly spec: Readonly<Record<string, unknown>> } => ({
  apiVersion: "berth.dev/v1",
  kind: "Workload",
  metadata: { name, ...of.metadata },
  spec: {
    replicas: 1,
    resources: { cpu: "100m", memory: "64Mi" },
    run: { command: ["serve"] },
    ...of.spec,
  },
});

export const aNodeObject = (name = "a-1") => ({
  apiVersion: "berth.dev/v1",
  kind: "Node",
  metadata: { name },
  spec: { region: "eu", zone: "eu-a", capacity: { cpu: 4, memory: "4Gi" } },
});

/** With the tenant `payments` in it. */
export async function anApiWithTenant(of: Parameters<typeof anApi>[0] = {}): Promise<Api> {
  const api = await anApi(of);
  await api.post(`${BERTH}/tenants`, aTenantObject());
  return api;
}
