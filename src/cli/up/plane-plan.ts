/**
 * Which planes `berth up` is to run: one with a log of its own, or several whose log is in etcd.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { EtcdAddressError, parseEtcdAddress } from "../../host/etcd/etcd-address.ts";
import { EtcdMissing, findEtcd } from "../../host/etcd/find-etcd.ts";
import { DEFAULT_LISTEN } from "../client/find-server.ts";
import { UserError } from "../../shell/errors.ts";
import { parseListen } from "../../serve/listen-address.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import type { UpOptions } from "../commands/up.ts";
import { findFreePort } from "../../serve/free-port.ts";

/** One leads and the others wait; each is a process of some hundred megabytes. */
const MOST_PLANES = 7;
/** As many as go on when one is lost and another is being replaced. */
const SEVERAL = 3;

export interface PlanePlan {
  readonly name: string;
  readonly folder: string;
  readonly args: readonly string[];
}

/** Where the log of several planes is: in an etcd that is started here, or at an address. */
export interface SharedPlan {
  readonly planes: number;
  readonly address: string | undefined;
}

/**
 * Undefined: one plane, with a log of its own. Throws what is wrong with the options, or does not
 * go with the folder.
 */
export function readSharedPlan(options: UpOptions, folder: string): SharedPlan | undefined {
  const { etcd } = options;
  const planes = readPlanes(options);
  if (etcd === undefined && planes > 1) {
    throw new UserError(
      "bad-usage",
      `--planes: ${planes} planes need a shared log. Add --etcd to start a local etcd, or --etcd etcd://HOST:PORT to use an existing one.`,
    );
  }
  if (typeof etcd === "string") checkAddress(etcd);
  checkFolder(folder, etcd);
  if (etcd === undefined) return undefined;
  if (typeof etcd === "string") return { planes, address: etcd };
  checkProgram();
  return { planes, address: undefined };
}

const PLANES = "planes";

/**
 * Agents never obey an earlier epoch than they have seen: with another log under them they would do
 * nothing for long.
 */
function checkFolder(folder: string, etcd: UpOptions["etcd"]): void {
  const has = (name: string): boolean => existsSync(join(folder, name));
  const isOwnEtcd = etcd !== undefined && typeof etcd !== "string";
  if (has("log.db") && etcd !== undefined) {
    throw anotherLog(folder, "the log of a single plane: run it without --etcd");
  }
  if (!has(PLANES)) return;
  if (has("etcd") && !isOwnEtcd) {
    throw anotherLog(folder, "planes with a local etcd: run them with --etcd and no address");
  }
  if (!has("etcd") && typeof etcd !== "string") {
    throw anotherLog(folder, "planes with an external etcd: run them with --etcd ADDRESS");
  }
}

const anotherLog = (folder: string, what: string): UserError =>
  new UserError("bad-usage", `${folder} holds ${what}, or use another directory with --data.`);

export function singlePlane(
  folder: string,
  listen: string,
  more: readonly string[] = [],
): PlanePlan {
  const args = ["plane", "--data", folder, "--listen", listen, ...more];
  return { name: "the plane", folder, args };
}

export function severalPlanes(
  folder: string,
  of: {
    readonly store: string;
    readonly listens: readonly string[];
    /**
     * The list of tokens that all of them take: any of them may be asked, and sends on what it was
     * sent.
     */
    readonly tokens: string;
    readonly more?: readonly string[];
  },
): readonly PlanePlan[] {
  const { store, listens, tokens, more = [] } = of;
  return listens.map((listen, at) => {
    const name = `plane-${at + 1}`;
    const own = join(folder, PLANES, name);
    const where = ["--data", own, "--listen", listen, "--store", store, "--token-file", tokens];
    return { name, folder: own, args: ["plane", ...where, "--name", name, ...more] };
  });
}

/** One after the other from the given port on; with port 0 wherever there is room. */
export async function listensFor(
  text: string | undefined,
  count: number,
): Promise<readonly string[]> {
  const { host, port } = parseListen(text ?? DEFAULT_LISTEN);
  if (port + count - 1 > 65_535) {
    throw new UserError(
      "bad-usage",
      `--listen: ${count} planes need ${count} ports, and there are fewer after ${port}.`,
    );
  }
  const shown = host.includes(":") ? `[${host}]` : host;
  const ports = new Set<number>();
  // The kernel may name a free port twice before a process has taken it.
  while (ports.size < count) ports.add(port === 0 ? await findFreePort(host) : port + ports.size);
  return [...ports].map((each) => `${shown}:${each}`);
}

function readPlanes({ planes, etcd }: UpOptions): number {
  const count =
    planes === undefined ? (etcd === undefined ? 1 : SEVERAL) : readWholeNumber("--planes", planes);
  if (count >= 1 && count <= MOST_PLANES) return count;
  throw new UserError("bad-usage", `--planes: found ${count}, expected 1 to ${MOST_PLANES}.`);
}

function checkProgram(): void {
  try {
    findEtcd();
  } catch (error) {
    if (error instanceof EtcdMissing) throw new UserError("log-unavailable", error.message);
    throw error;
  }
}

function checkAddress(text: string): void {
  try {
    parseEtcdAddress(text);
  } catch (error) {
    if (error instanceof EtcdAddressError) {
      throw new UserError("bad-usage", `--etcd: ${error.message}`);
    }
    throw error;
  }
}
