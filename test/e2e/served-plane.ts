/** A plane on a real SQLite file behind a real socket, for tests with real clients; it can be killed and come back. */
import { mkdtempSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import type { ApiAuth } from "../../src/api/http/authenticate.ts";
import { createApiServer, type TlsFiles } from "../../src/api/http/create-api-server.ts";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import type { Controllers } from "../../src/host/controllers.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import type { HeldSecretKeys } from "../../src/host/seal/secret-keys.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { removeFolder } from "../builders/remove-folder.ts";

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export interface ServedOptions {
  /** Left out: those a plane runs by itself. */
  readonly createControllers?: () => Controllers;
  readonly limits?: Partial<ApiLimits>;
  /** Left out: every caller is the administrator. */
  readonly auth?: ApiAuth;
  /** Left out: plain HTTP, over which kubectl sends no token. */
  readonly tls?: TlsFiles;
  /** How often what was measured is looked at; left out: as usual. */
  readonly observeMs?: number;
  /** What secrets are sealed with; left out: the plane keeps none. */
  readonly secretKeys?: HeldSecretKeys;
}

export class ServedPlane {
  readonly folder = mkdtempSync(path.join(tmpdir(), "berth-served-"));
  private plane: Plane | undefined;
  private app: FastifyInstance | undefined;
  private port = 0;
  private readonly options: ServedOptions;

  constructor(options: ServedOptions = {}) {
    this.options = options;
  }

  get url(): string {
    const scheme = this.options.tls === undefined ? "http" : "https";
    return `${scheme}://127.0.0.1:${this.port}`;
  }
  /** The plane behind the socket. */
  get running(): Plane {
    if (this.plane === undefined) throw new Error("the plane is not running");
    return this.plane;
  }

  async start(): Promise<void> {
    const store = await SqliteLog.open(path.join(this.folder, "log.db"));
    const clock = createHostClock();
    const { auth, tls, limits, observeMs, secretKeys, ...controllers } = this.options;
    this.plane = await Plane.open({ store, clock, ...controllers });
    const tight = {
      ...(limits === undefined ? {} : { limits }),
      ...(auth === undefined ? {} : { auth }),
      ...(tls === undefined ? {} : { tls }),
      ...(secretKeys === undefined ? {} : { secretKeys }),
      ...(observeMs === undefined ? {} : { observeMs }),
    };
    this.app = createApiServer({ plane: this.plane, clock, log: silent, ...tight });
    await this.app.listen({ host: "127.0.0.1", port: this.port });
    this.port = (this.app.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    await this.app?.close();
    await this.plane?.close();
    this.app = undefined;
    this.plane = undefined;
  }

  async remove(): Promise<void> {
    // Node's fetch opens a connection ahead when a stream is left; a close would wait a minute for it.
    this.app?.server.closeAllConnections();
    await this.stop();
    await removeFolder(this.folder);
  }
}
