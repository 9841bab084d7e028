/** Finds out which drivers a machine can run, and readies them: tools, rules of the network. */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { DriverName } from "../../core/model/node/driver-name.ts";
import type { ReplicaFiles } from "../replica-files.ts";
import { Drivers } from "./drivers.ts";
import { ReplicaDisks } from "./disk/replica-disks.ts";
import { findTool } from "./find-tool.ts";
import { ProcessDriver } from "./process-driver.ts";
import type { ImageSettings } from "./image/image-store.ts";
import { ImageDriver } from "./image/image-driver.ts";
import { type Fenced, NetworkFence } from "./sandbox/network-fence.ts";
import { SandboxDriver } from "./sandbox/sandbox-driver.ts";

/** The usual one first; or what the machine can do decides: a sandbox, and else plain processes. */
export type Allowed = readonly DriverName[] | "by-machine";

export interface NodeDriversOptions {
  /** The agent's. */
  readonly folder: string;
  readonly files: ReplicaFiles;
  readonly allowed: Allowed;
  /** Its planes: no sandboxed replica reaches them. */
  readonly servers: readonly URL[];
  readonly readable?: readonly string[];
  readonly images?: ImageSettings;
  /** What disks of replicas may have of the machine's together. */
  readonly diskBytes?: number | undefined;
}

export async function nodeDrivers(of: NodeDriversOptions): Promise<Drivers> {
  const { folder, files, allowed, servers, readable = [] } = of;
  const isWanted = allowed === "by-machine" || allowed.some((name) => name !== "process");
  const isFenced = isWanted && process.getuid?.() === 0;
  const program = findTool("nft");
  const fence =
    isFenced && program !== undefined
      ? new NetworkFence({ agentFolder: folder, program })
      : undefined;
  const lacking = program === undefined ? ["it lacks nft (Debian: nftables)"] : [];
  try {
    fence?.raise(await addressesOf(servers));
  } catch (error) {
    lacking.push(error instanceof Error ? error.message : String(error));
  }
  const disks = new ReplicaDisks({ folder, mostBytes: of.diskBytes });
  if (isFenced) await disks.try();
  const sandbox = new SandboxDriver({ folder, files, readable, lacking, disks });
  const store = of.images === undefined ? {} : { store: of.images };
  const image = new ImageDriver({ folder, files, lacking, disks, ...store });
  const byMachine: readonly DriverName[] =
    sandbox.missing.length === 0 ? ["sandbox", "image"] : ["process"];
  const isDecided = allowed !== "by-machine";
  return new Drivers({
    unused: isDecided ? [] : sandbox.missing.map((why) => `replicas have no sandbox here: ${why}`),
    drivers: [new ProcessDriver(files), sandbox, image],
    files,
    ...(isFenced ? { disks } : {}),
    allowed: allowed === "by-machine" ? byMachine : allowed,
    onClose: () => fence?.lower(),
  });
}

const PORTS: Readonly<Record<string, number>> = { "https:": 443, "http:": 80 };

/** A name that is not known now is fenced by its port on this machine alone. */
async function addressesOf(servers: readonly URL[]): Promise<readonly Fenced[]> {
  const found = await Promise.all(
    servers.map(async ({ hostname, port, protocol }) => {
      const number = port === "" ? (PORTS[protocol] ?? 0) : Number(port);
      return (await addresses(hostname)).map((address) => ({ address, port: number }));
    }),
  );
  return found.flat();
}

async function addresses(hostname: string): Promise<readonly string[]> {
  const bare = hostname.replace(/^\[(.*)\]$/, "$1");
  if (isIP(bare) !== 0) return [bare];
  const found = await lookup(bare, { all: true }).catch(() => []);
  return found.length === 0 ? ["127.0.0.1"] : found.map(({ address }) => address);
}
