/**
 * What a sandbox shows of the machine: the programs of the system, read-only, the few files of /etc
 * that programs need, and folders of its own in memory. Nothing else of the machine is there.
 */
import { lstatSync, readlinkSync } from "node:fs";
import { normalize } from "node:path";
import { AGENT_LIMITS } from "../../agent-limits.ts";

export const WORK = "/work";
export const ENVIRONMENT = "/run/berth/environment.sh";
export const FILES = "/run/berth/files";

const SYSTEM = ["/usr", "/opt"];
/** Links into /usr on most systems, folders on older ones. */
const OLD_PLACES = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** How names, times, certificates and libraries are found; no configuration of any service. */
const ETC = [
  "/etc/alternatives",
  "/etc/ca-certificates",
  "/etc/gai.conf",
  "/etc/host.conf",
  "/etc/hosts",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/mime.types",
  "/etc/nsswitch.conf",
  "/etc/pki/ca-trust",
  "/etc/pki/tls/certs",
  "/etc/protocols",
  "/etc/resolv.conf",
  "/etc/services",
  "/etc/ssl/certs",
  "/etc/ssl/openssl.cnf",
  "/etc/terminfo",
  "/etc/timezone",
];

const MIB = 2 ** 20;

export interface View {
  /** Files of the agent that it shows, by where they are shown. */
  readonly environment: string;
  readonly passwd: string;
  readonly group: string;
  readonly files: string;
  /** Folders of the machine that the operator shows to all, read-only. */
  readonly readable: readonly string[];
  /** Bounds each of its folders; what is in them also counts to its limit. */
  readonly memoryMiB: number;
  readonly hostname: string;
  /** A folder on a disk that is its work directory; left out: that is in memory, too. */
  readonly work?: string;
  /** Whether it has a network of its own, in which nothing else is. */
  readonly isAlone: boolean;
}

/** Bubblewrap's words. */
export function wordsOf(view: View): readonly string[] {
  const bytes = String(Math.max(AGENT_LIMITS.leastMemoryBytes.value, view.memoryMiB * MIB));
  const inMemory = (path: string): string[] => [
    "--perms",
    "1777",
    "--size",
    bytes,
    "--tmpfs",
    path,
  ];
  const shown = [...ETC, ...view.readable];
  return [
    ["--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
    view.isAlone ? ["--unshare-net"] : [],
    ["--hostname", view.hostname],
    SYSTEM.flatMap((path) => ["--ro-bind-try", path, path]),
    OLD_PLACES.flatMap(oldPlace),
    shown.flatMap(foldersAbove).flatMap((path) => ["--dir", path]),
    shown.flatMap((path) => ["--ro-bind-try", path, path]),
    ["--ro-bind", view.passwd, "/etc/passwd", "--ro-bind", view.group, "/etc/group"],
    ["--proc", "/proc", "--dev", "/dev"],
    ["/dev/shm", "/tmp"].flatMap(inMemory),
    view.work === undefined ? inMemory(WORK) : ["--bind", view.work, WORK],
    ["--dir", "/run/berth", "--dir", "/var", "--symlink", "../tmp", "/var/tmp"],
    ["--ro-bind", view.environment, ENVIRONMENT],
    ["--ro-bind-try", view.files, FILES],
    ["--remount-ro", "/", "--chdir", "/"],
    CAPABILITIES,
  ].flat();
}

/** Just enough to become the replica's own user, which has none of them any more. */
const KEPT = ["CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"];
export const CAPABILITIES: readonly string[] = [
  ["--cap-drop", "ALL"],
  KEPT.flatMap((name) => ["--cap-add", name]),
].flat();

/** Bubblewrap makes those above a file for root alone, unless it is told to make them. */
const foldersAbove = (path: string): readonly string[] =>
  [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)).filter((each) => each !== "");

function oldPlace(path: string): readonly string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isSymbolicLink()) return ["--symlink", readlinkSync(path), path];
  return ["--ro-bind", path, path];
}

/** Whether a folder that a template names is there. */
export const isShown = (path: string, readable: readonly string[]): boolean =>
  normalize(path) === path &&
  [WORK, "/tmp", ...SYSTEM, ...readable].some(
    (shown) => path === shown || path.startsWith(`${shown}/`),
  );
