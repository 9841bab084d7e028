/**
 * What crun is told of a replica, in the form of the OCI runtime specification: the same rules as
 * for a sandbox, with the image as its root.
 */
import { AGENT_LIMITS } from "../../agent-limits.ts";
import { DENIED } from "../sandbox/system-calls.ts";

export interface Contained {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly imageEnv: readonly string[];
  readonly workingDir: string;
  readonly root: string;
  /** Within the image. */
  readonly uid: number;
  readonly gid: number;
  /** The first of the machine's user ids that stand for those of the image. */
  readonly firstUid: number;
  readonly files: string | undefined;
  readonly memoryMiB: number;
  readonly init: string;
  /** Whether it may change the files of its root. */
  readonly isWritable: boolean;
  /** A folder on a disk that is its work directory; left out: that is in memory, too. */
  readonly work?: string;
  /** Whether it has a network of its own, in which nothing else is. */
  readonly isAlone: boolean;
}

export const IDS = 65_536;
const INIT = "/run/berth/init";
export const IMAGE_FILES = "/run/berth/files";
const MIB = 2 ** 20;

export function containerConfig(of: Contained): object {
  const { uid, gid, firstUid, root } = of;
  const map = [{ containerID: 0, hostID: firstUid, size: IDS }];
  const own = Object.entries(of.environment).map(([name, value]) => `${name}=${value}`);
  return {
    ociVersion: "1.0.2",
    process: {
      terminal: false,
      user: { uid, gid },
      // An init hands on signals and takes away what has ended, as on any machine.
      args: [INIT, "-g", "--", ...of.command],
      // The last of a name counts.
      env: ["PATH=/usr/local/bin:/usr/bin:/bin", ...of.imageEnv, ...own],
      cwd: of.workingDir,
      capabilities: { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] },
      noNewPrivileges: true,
      rlimits: [{ type: "RLIMIT_CORE", hard: 0, soft: 0 }],
    },
    root: { path: root, readonly: !of.isWritable },
    hostname: "replica",
    mounts: mountsOf(of),
    linux: {
      uidMappings: map,
      gidMappings: map,
      namespaces: [...NAMESPACES_OF_ALL, ...(of.isAlone ? ["network"] : [])].map((type) => ({
        type,
      })),
      seccomp: SECCOMP,
      maskedPaths: [
        "/proc/acpi",
        "/proc/kcore",
        "/proc/keys",
        "/proc/latency_stats",
        "/proc/timer_list",
        "/proc/sched_debug",
        "/proc/scsi",
      ],
      readonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
    },
  };
}

const NAMESPACES_OF_ALL = ["pid", "ipc", "uts", "mount", "user"];

const shown = (source: string, destination: string): object => ({
  destination,
  type: "bind",
  source,
  options: ["bind", "ro", "nosuid", "nodev"],
});

function mountsOf({ files, init, memoryMiB, work }: Contained): readonly object[] {
  const bytes = Math.max(AGENT_LIMITS.leastMemoryBytes.value, memoryMiB * MIB);
  const inMemory = (destination: string): object => ({
    destination,
    type: "tmpfs",
    source: "tmpfs",
    options: ["nosuid", "nodev", "mode=1777", `size=${bytes}`],
  });
  return [
    { destination: "/proc", type: "proc", source: "proc" },
    {
      destination: "/dev",
      type: "tmpfs",
      source: "tmpfs",
      options: ["nosuid", "mode=755", "size=65536"],
    },
    inMemory("/dev/shm"),
    inMemory("/tmp"),
    work === undefined
      ? inMemory("/work")
      : {
          destination: "/work",
          type: "bind",
          source: work,
          options: ["bind", "rw", "nosuid", "nodev"],
        },
    {
      destination: "/run",
      type: "tmpfs",
      source: "tmpfs",
      options: ["nosuid", "nodev", "mode=755", "size=65536"],
    },
    shown(init, INIT),
    ...(files === undefined ? [] : [shown(files, IMAGE_FILES)]),
  ];
}

const EPERM = 1;
const ENOSYS = 38;
/** The flags of clone that make a namespace. */
const NAMESPACES = [
  0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
];
/** Unix, IPv4, IPv6 and netlink. */
const FAMILIES = [1, 2, 10, 16];
const LAST_FAMILY = 16;

const denied = (name: string, index: number, op: string, value: number): object => ({
  names: [name],
  action: "SCMP_ACT_ERRNO",
  errnoRet: EPERM,
  args: [{ index, op, value, valueTwo: value }],
});

/** As the sandbox's own filter (ADR 52). */
const SECCOMP = {
  defaultAction: "SCMP_ACT_ALLOW",
  architectures: [process.arch === "arm64" ? "SCMP_ARCH_AARCH64" : "SCMP_ARCH_X86_64"],
  syscalls: [
    { names: ["clone3"], action: "SCMP_ACT_ERRNO", errnoRet: ENOSYS },
    { names: DENIED, action: "SCMP_ACT_ERRNO", errnoRet: EPERM },
    ...NAMESPACES.map((flag) => denied("clone", 0, "SCMP_CMP_MASKED_EQ", flag)),
    ...Array.from({ length: LAST_FAMILY }, (_, family) => family)
      .filter((family) => !FAMILIES.includes(family))
      .map((family) => denied("socket", 0, "SCMP_CMP_EQ", family)),
    denied("socket", 0, "SCMP_CMP_GT", LAST_FAMILY),
  ],
};
