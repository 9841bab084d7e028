/**
 * Clients of other people that the tests drive: an old kubectl, the Python and Ruby libraries and
 * promtool. Debian's packages are unpacked into a folder of the user, beside what is installed: no
 * root is needed, and the kubectl of the machine stays.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/**
 * @typedef {object} ClientTool
 * @property {string} name what people call it
 * @property {string} debian the package
 * @property {boolean} alone a program that needs no other package
 * @property {string} needs a file of it
 */

/** @type {readonly ClientTool[]} */
export const CLIENT_TOOLS = [
  { name: "kubectl 1.20", debian: "kubernetes-client", alone: true, needs: "usr/bin/kubectl" },
  {
    name: "the Python client",
    debian: "python3-kubernetes",
    alone: false,
    needs: "usr/lib/python3/dist-packages/kubernetes/__init__.py",
  },
  {
    name: "the Ruby client",
    debian: "ruby-kubeclient",
    alone: false,
    needs: "usr/share/rubygems-integration/all/specifications",
  },
  { name: "promtool", debian: "prometheus", alone: true, needs: "usr/bin/promtool" },
];

const cache = process.env["XDG_CACHE_HOME"] ?? path.join(homedir(), ".cache");

/** @param {string} debian a package */
export const clientFolder = (debian) => path.join(cache, "berth-test-clients", debian);

/** @param {ClientTool} tool */
export const hasClient = ({ debian, needs }) => existsSync(path.join(clientFolder(debian), needs));

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [cwd]
 */
function run(program, args, cwd) {
  const { status, stdout } = spawnSync(program, args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    ...(cwd === undefined ? {} : { cwd }),
  });
  return status === 0 ? stdout : undefined;
}

/**
 * The package and those of its dependencies that the machine lacks.
 * @param {ClientTool} tool
 */
function packagesOf({ debian, alone }) {
  if (alone) return [debian];
  const args = ["-s", "-qq", "--no-install-recommends", "install", "--reinstall", debian];
  const lines = run("apt-get", args)?.split("\n") ?? [];
  return lines.flatMap((line) => /^Inst (\S+) /.exec(line)?.[1] ?? []);
}

/**
 * The folder gets its name only when all is in it: a run that is killed leaves no half of a client.
 * @param {ClientTool} tool
 */
export function installClient(tool) {
  const folder = clientFolder(tool.debian);
  const unpacked = `${folder}.${process.pid}`;
  const archives = `${unpacked}.archives`;
  mkdirSync(archives, { recursive: true });
  mkdirSync(unpacked, { recursive: true });
  try {
    if (packagesOf(tool).length === 0 && process.getuid?.() === 0)
      run("apt-get", ["-qq", "update"]);
    const packages = packagesOf(tool);
    if (packages.length === 0) return;
    console.log(`Unpacking ${packages.length} packages for ${tool.name} …`);
    run("apt-get", ["-qq", "download", ...packages], archives);
    for (const archive of readdirSync(archives)) {
      run("dpkg", ["-x", path.join(archives, archive), unpacked]);
    }
    rmSync(folder, { recursive: true, force: true });
    renameSync(unpacked, folder);
  } finally {
    for (const left of [archives, unpacked]) rmSync(left, { recursive: true, force: true });
  }
}
