/**
 * The options of `berth agent`, understood: what the node is, where its plane is, how to be let in.
 */
import { isAbsolute, join, normalize, resolve } from "node:path";
import { discoverCapacity } from "../../agent/discover-capacity.ts";
import type { ImageSettings } from "../../agent/drivers/image/image-store.ts";
import type { NodeDescription } from "../../agent/register-node.ts";
import { DRIVER_NAMES, type DriverName } from "../../core/model/node/driver-name.ts";
import { CPU_FORM, MEMORY_FORM, parseCpu, parseMemory } from "../../quantity/quantity.ts";
import type { AgentCommandOptions } from "../commands/agent.ts";
import { parseServers } from "../client/parse-servers.ts";
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";
import type { AgentCredentialFiles } from "./agent-credentials.ts";

export const agentFolder = ({ data, name }: AgentCommandOptions): string =>
  data ?? join(process.env["BERTH_DATA"] ?? ".berth", "agents", name);

export function describeNode(options: AgentCommandOptions): NodeDescription {
  const found = discoverCapacity();
  const { name, region, zone, cpu, memory, deviceClass = "", deviceIds: ids } = options;
  const deviceIds = ids === undefined ? [] : ids.split(",").filter((id) => id !== "");
  if ((deviceClass === "") !== (deviceIds.length === 0)) {
    throw new UserError("bad-usage", "--device-class and --device-ids must be used together.");
  }
  const labels = Object.fromEntries((options.label ?? []).map(readLabel));
  return {
    name,
    region,
    zone,
    cpuMillis: cpu === undefined ? found.cpuMillis : readCpu(cpu),
    memoryMiB: memory === undefined ? found.memoryMiB : readMemory(memory),
    deviceClass,
    deviceIds,
    labels,
  };
}

/** Undefined: what the machine can do decides. */
export function readDrivers(text: string | undefined): readonly DriverName[] | undefined {
  const names = text?.split(",").map((name) => name.trim());
  return names?.map((name) => {
    const driver = DRIVER_NAMES.find((each) => each === name);
    if (driver !== undefined) return driver;
    throw new UserError(
      "bad-usage",
      `--drivers: found "${name}", expected ${DRIVER_NAMES.join(" or ")}.`,
    );
  });
}

/** A relative path would mean another folder in each sandbox. */
export function readReadable(paths: readonly string[] = []): readonly string[] {
  for (const path of paths) {
    if (isAbsolute(path) && normalize(path) === path && path !== "/") continue;
    throw new UserError(
      "bad-usage",
      `--readable: found "${path}", expected an absolute path of a directory below the root, such as /srv/app.`,
    );
  }
  return paths;
}

const MIB = 2 ** 20;

export const readSize = (text: string | undefined, option: string): number | undefined =>
  text === undefined ? undefined : readMemory(text, option) * MIB;

/** Files are read when an image is fetched, wherever the agent was started. */
export function readImageSettings(options: AgentCommandOptions): ImageSettings {
  const { images, registries, registryAuthFile: file, imageCache } = options;
  if (file !== undefined) readInput(file);
  return {
    ...(images === undefined ? {} : { sources: resolve(images) }),
    authFile: file === undefined ? undefined : resolve(file),
    registries: registries?.split(",").map((host) => host.trim()),
    cacheBytes: readSize(imageCache, "--image-cache"),
  };
}

function readCpu(text: string): number {
  const millis = parseCpu(text);
  if (millis !== undefined) return millis;
  throw new UserError("bad-usage", `--cpu: found "${text}", expected ${CPU_FORM}.`);
}

function readMemory(text: string, option = "--memory"): number {
  const mib = parseMemory(text);
  if (mib !== undefined) return mib;
  throw new UserError("bad-usage", `${option}: found "${text}", expected ${MEMORY_FORM}.`);
}

function readLabel(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new UserError("bad-usage", `--label: found "${text}", expected key=value.`);
}

export function readServers(text: string | undefined): readonly URL[] {
  if ((text ?? "").trim() === "") {
    throw new UserError(
      "bad-usage",
      "No plane address: pass --server, such as --server http://127.0.0.1:6900.",
    );
  }
  return parseServers(text ?? "", "--server");
}

/** Where its token and the certificate it trusts are. */
export const credentialFiles = (options: AgentCommandOptions): AgentCredentialFiles => ({
  token: options.bootstrapTokenFile ?? options.tokenFile ?? process.env["BERTH_TOKEN_FILE"],
  ca: options.caFile ?? process.env["BERTH_CA_FILE"],
});
