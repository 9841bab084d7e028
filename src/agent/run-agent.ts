/** Puts an agent together: its folder, its memory, its processes, its plane. */
import { existsSync } from "node:fs";
import type { Server } from "node:net";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentInput } from "../core/kernel/component.ts";
import { AgentHost } from "./agent-host.ts";
import { BootClock, readBootId } from "./process/boot-clock.ts";
import { CannotRunError } from "../shell/cannot-run-error.ts";
import { closedText, closeToOthers } from "../shell/close-to-others.ts";
import type { Credentials } from "../shell/http-caller.ts";
import { lockFolder } from "../shell/folder-lock.ts";
import { NodeMemory } from "./node-memory.ts";
import { ownOrder } from "./process/own-order.ts";
import type { Drivers } from "./drivers/drivers.ts";
import { type Allowed, nodeDrivers, type NodeDriversOptions } from "./drivers/node-drivers.ts";
import type { ImageSettings } from "./drivers/image/image-store.ts";
import { findOwnAddress } from "./own-address.ts";
import { HttpPlaneLink } from "./plane/plane-link.ts";
import { makeDataFolder } from "../shell/private-folder.ts";
import { Supervisor } from "./process/supervisor.ts";
import { askSecretsFor } from "./plane/ask-secrets.ts";
import { SecretValues } from "./secret-values.ts";
import { ReplicaFiles } from "./replica-files.ts";
import { ReplicaIdentities } from "./replica-identities.ts";
import { type NodeDescription, registerNode } from "./register-node.ts";

export interface AgentOptions {
  readonly node: NodeDescription;
  readonly servers: readonly URL[];
  readonly folder: string;
  readonly credentials: Credentials;
  /** Under which replicas are reached; found out when left out. */
  readonly address?: string;
  /** The drivers that it may use, the usual one first; left out: plain processes. */
  readonly allowed?: Allowed;
  /** Folders of the machine that sandboxes show. */
  readonly readable?: readonly string[];
  readonly images?: ImageSettings;
  /** What disks of replicas may have of this machine's together; left out: all that is to spare. */
  readonly diskBytes?: number | undefined;
  readonly note: (message: string) => void;
  readonly onInput?: (component: string, input: AgentInput, atMs: number) => void;
  readonly onBroken: (error: unknown) => void;
  /** Between two looks at what processes do; left out: as often as a plane makes use of them. */
  readonly sampleMs?: number;
}

export interface RunningAgent {
  readonly host: AgentHost;
  /**
   * The processes go on, unless they are to be stopped, too; then it resolves when they are gone.
   */
  stop(of: { readonly stopProcesses: boolean }): Promise<void>;
}

/** As long as a renewal that came too early would wait. */
const HEAD_START_MS = 1_000;

export async function runAgent(options: AgentOptions): Promise<RunningAgent> {
  const { node, note, credentials } = options;
  const servers = ownOrder(node.name, options.servers);
  // The shims work elsewhere, so no path may depend on where the agent was started.
  const folder = resolve(options.folder);
  if (!existsSync("/proc/self/stat"))
    throw new CannotRunError("An agent needs Linux: it reads /proc.");
  makeDataFolder(folder);
  const lock = await lockFolder(folder, "agent");
  const closed = closedText(folder, closeToOthers(folder));
  if (closed !== undefined) note(closed);
  const memory = openMemory({ folder, node: node.name, lock });
  const clock = new BootClock();
  const address = options.address ?? (await findOwnAddress(servers));
  const files = new ReplicaFiles(folder);
  const drivers = await driversFor(options, { folder, files, servers });
  const secrets = new SecretValues();
  const askSecrets = askSecretsFor(secrets, note);
  const running = () => host.driver.running();
  const to = { node: node.name, servers, credentials, files, note, running };
  const identities = new ReplicaIdentities(to);
  const host: AgentHost = new AgentHost({
    node: node.name,
    clock,
    memory,
    machine: {
      capacity: { cpuMillis: node.cpuMillis, memoryMiB: node.memoryMiB },
      deviceIds: node.deviceIds,
    },
    createDriver: (tell) =>
      new Supervisor({
        folder,
        node: node.name,
        host: address,
        clock,
        tell,
        note,
        drivers,
        files,
        filesOf: async (order) =>
          new Map([...secrets.filesFor(order), ...(await identities.filesFor(order))]),
      }),
    connect: (give) =>
      new HttpPlaneLink({
        node: node.name,
        servers,
        folder,
        drivers,
        askSecrets,
        give,
        note,
        credentials,
      }),
    onBroken: options.onBroken,
    ...(options.onInput === undefined ? {} : { onInput: options.onInput }),
    ...(options.sampleMs === undefined ? {} : { sampleMs: options.sampleMs }),
  });
  return begun({ options, servers, host, secrets, identities, lock });
}

/** From here on it takes part: it registers, holds a lease and keeps tokens fresh. */
async function begun(of: {
  readonly options: AgentOptions;
  readonly servers: readonly URL[];
  readonly host: AgentHost;
  readonly secrets: SecretValues;
  readonly identities: ReplicaIdentities;
  readonly lock: Server;
}): Promise<RunningAgent> {
  const { options, servers, host, secrets, identities, lock } = of;
  const { node, note, credentials } = options;
  const registering = new AbortController();
  const registered = registerNode({ node, servers, note, signal: registering.signal, credentials });
  // A lease needs its node; but what runs here must be looked after while no plane can be reached,
  // too.
  await Promise.race([registered, sleep(HEAD_START_MS, undefined, { ref: false })]);
  host.start();
  identities.start();
  return {
    host,
    stop: async ({ stopProcesses }) => {
      registering.abort();
      host.stop();
      secrets.close();
      await identities.close();
      await registered;
      if (stopProcesses) await host.driver.stopAll();
      lock.close();
    },
  };
}

async function driversFor(
  { allowed = ["process"], readable = [], images, diskBytes, note }: AgentOptions,
  of: Pick<NodeDriversOptions, "folder" | "files" | "servers">,
): Promise<Drivers> {
  const drivers = await nodeDrivers({
    ...of,
    allowed,
    readable,
    diskBytes,
    images: { ...images, note },
  });
  for (const each of drivers.notes) note(each);
  return drivers;
}

function openMemory(of: { folder: string; node: string; lock: Server }): NodeMemory {
  try {
    return new NodeMemory({ ...of, bootId: readBootId() });
  } catch (error) {
    of.lock.close();
    throw error;
  }
}
