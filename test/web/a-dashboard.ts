/**
 * A real plane with its controllers, its API on a socket and the dashboard as it is built now, in this process:
 *
 *   const dashboard = aDashboard();
 *   beforeAll(() => furnish(dashboard));          // a-scene.ts: something of everything
 *
 *   await dashboard.apply(aNodeObject("n9"));      // as a user does it, over HTTP
 *   await dashboard.write({ method: "PATCH", path, body, as: "alice" });
 *   dashboard.agents.letComeTo("shop/api", "starting");
 *   await dashboard.fallSilent("n3");              // its lease runs out, the plane fences it
 *   await dashboard.stop(); await dashboard.start();  // away and back at the same address, with the same log
 *
 * Nodes are spoken for by `FakeAgents`. The plane's clock begins ten minutes before the present and is moved on, so
 * that a node dies in a moment and everything has an age.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll } from "vitest";
import type { ApiObject } from "../../src/api/api-kind.ts";
import { kindByName } from "../../src/api/kinds/all-kinds.ts";
import type { ApiAuth } from "../../src/api/http/authenticate.ts";
import { grantAll } from "../builders/grant.ts";
import { createApiServer } from "../../src/api/http/create-api-server.ts";
import { listen } from "../../src/api/http/listen.ts";
import { FENCE_AFTER_MS, RENEW_EVERY_MS } from "../../src/core/model/timing.ts";
import { createHostClock, type HostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import type { HeldSecretKeys } from "../../src/host/seal/secret-keys.ts";
import { Recorder } from "../../src/host/recording/recorder.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";
import { BUILT } from "./built.ts";
import { FakeAgents } from "./fake-agents.ts";

/** Far longer than anything here takes on the slowest machine; it only bounds a hang. */
const PATIENCE_MS = 120_000;
const TEN_MINUTES_MS = 600_000;

export interface DashboardOf {
  /** Left out: whoever is on this machine may everything, without a token. */
  readonly auth?: ApiAuth;
  /** Left out: the users of `auth` may do everything. False: what the test grants them. */
  readonly usersMayAll?: false;
  /** Left out: it keeps no secrets. */
  readonly secretKeys?: HeldSecretKeys;
  /** The folder to record into; left out: it does not record. */
  readonly recordings?: string;
}

export interface Write {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body: unknown;
  /** Whose name is to stand in the log; only without tokens. */
  readonly as?: string;
}

/** Begins in the past and can be moved on, never beyond the present: a browser has the real time. */
class PastClock implements HostClock {
  private readonly real = createHostClock();
  private behindMs = TEN_MINUTES_MS;

  nowMs(): number {
    return this.real.nowMs() - this.behindMs;
  }
  get isPast(): boolean {
    return this.behindMs > 0;
  }
  moveOn(ms: number): void {
    this.behindMs = Math.max(0, this.behindMs - ms);
  }
}

export class Dashboard {
  readonly agents = new FakeAgents(() => this.plane);
  private readonly of: DashboardOf;
  private readonly store = new MemoryLog();
  private readonly clock = new PastClock();
  private running: { readonly plane: Plane; readonly app: FastifyInstance } | undefined;
  private port = 0;

  constructor(of: DashboardOf = {}) {
    this.of = of;
  }

  get plane(): Plane {
    if (this.running === undefined) throw new Error("The plane is not running.");
    return this.running.plane;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const { store, clock } = this;
    const { recordings: folder } = this.of;
    const recorder =
      folder === undefined ? {} : { recorder: new Recorder({ folder, version: "test" }) };
    const plane = await Plane.open({ store, clock, ...recorder });
    if (this.of.usersMayAll !== false) await grantAll(plane, this.of.auth?.tokens ?? []);
    const auth = this.of.auth === undefined ? {} : { auth: this.of.auth };
    const { secretKeys } = this.of;
    const app = createApiServer({
      plane,
      clock,
      log,
      webFolder: BUILT,
      ...auth,
      ...(secretKeys === undefined ? {} : { secretKeys }),
      ...(folder === undefined ? {} : { recordings: folder }),
    });
    const url = await listen(app, { port: this.port, ...auth });
    this.port = Number(new URL(url).port);
    this.running = { plane, app };
    this.agents.begin();
  }

  async stop(): Promise<void> {
    const { running } = this;
    if (running === undefined) return;
    await this.agents.end();
    const closed = running.app.close();
    // A browser holds its streams open for as long as it may.
    running.app.server.closeAllConnections();
    await closed;
    await running.plane.close();
    this.running = undefined;
  }

  /** Creates objects as a user does; anything but that is a mistake of the test. */
  async apply(...objects: readonly ApiObject[]): Promise<void> {
    for (const object of objects) {
      await this.write({ method: "POST", path: pathOf(object), body: object });
      if (object.kind === "Node") await this.agents.speakFor(object.metadata.name);
    }
  }

  async write({ method, path, body, as }: Write): Promise<ApiObject> {
    const token = this.of.auth?.tokens[0]?.token;
    const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        "content-type": type,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(as === undefined ? {} : { "berth-as": as }),
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return JSON.parse(text) as ApiObject;
  }

  /** Time passes for the plane while all others are heard of; resolves when the node is fenced. */
  async fallSilent(node: string): Promise<void> {
    this.agents.fallSilent(node);
    await this.letPass(FENCE_AFTER_MS + RENEW_EVERY_MS);
    const path = `/apis/berth.dev/v1/nodes/${node}`;
    // A controller looks when its timer says so, by the real clock, or when somebody writes to the node.
    await this.until(`${node} to be fenced`, async () => {
      if (this.agents.healthOf(node) === "fenced") return true;
      const annotations = { "looked-at": String(this.plane.revision) };
      await this.write({ method: "PATCH", path, body: { metadata: { annotations } }, as: "alice" });
      // Now and then: hundreds of writes would push everything else out of the audit trail's first page.
      await sleep(1_000);
      return undefined;
    });
  }

  /** Agents go on renewing meanwhile. */
  async letPass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms && this.clock.isPast; passed += RENEW_EVERY_MS) {
      this.clock.moveOn(Math.min(RENEW_EVERY_MS, ms - passed));
      await this.agents.renewAll();
    }
  }

  /** Time passes until it is the present, which it then stays. */
  async catchUp(): Promise<void> {
    await this.letPass(TEN_MINUTES_MS);
  }

  async until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
    const endMs = Date.now() + PATIENCE_MS;
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}.`);
      await sleep(5);
    }
  }
}

/** Called at the top of a file: started before its tests, stopped after them. */
export function aDashboard(of: DashboardOf = {}): Dashboard {
  const dashboard = new Dashboard(of);
  beforeAll(() => dashboard.start());
  afterAll(() => dashboard.stop());
  return dashboard;
}

const log = { info: () => {}, warn: () => {}, error: (of: object) => console.error(of) };

/** Where objects of its kind are created. */
function pathOf({ kind: name, metadata }: ApiObject): string {
  const kind = kindByName(name);
  if (kind === undefined) throw new Error(`There is no kind ${name}.`);
  const within = kind.isNamespaced ? `/namespaces/${metadata.namespace}` : "";
  return `/apis/berth.dev/v1${within}/${kind.plural}`;
}
