/**
 * Finds the real programs the tests drive, and installs missing ones where possible. A part that
 * cannot be had is a failure with a sentence, never a test that quietly does not run.
 */
import { spawnSync } from "node:child_process";
import { CLIENT_TOOLS, clientFolder, hasClient, installClient } from "./client-tools.mjs";

const TOOLS = [
  {
    name: "kubectl",
    probe: ["kubectl", "version", "--client"],
    debian: "kubernetes-client",
    why: "the API is tested with the client people use",
  },
  {
    name: "etcd",
    probe: ["etcd", "--version"],
    debian: "etcd-server",
    why: "planes on several machines keep their log in it, and are tested with a real one",
    service: "etcd.service",
  },
  {
    name: "etcdctl",
    probe: ["etcdctl", "version"],
    debian: "etcd-client",
    why: "what Berth reads from etcd and writes to it is compared with etcd's own client",
  },
  {
    name: "bubblewrap",
    probe: ["bwrap", "--version"],
    debian: "bubblewrap",
    why: "replicas in sandboxes are tested in real ones",
  },
  {
    name: "crun",
    probe: ["crun", "--version"],
    debian: "crun",
    why: "replicas in images are tested in real containers",
  },
  {
    name: "tini",
    probe: ["tini-static", "--version"],
    debian: "tini",
    why: "it is the first process of every container",
  },
  {
    name: "skopeo",
    probe: ["skopeo", "--version"],
    debian: "skopeo",
    why: "it brings images from registries",
  },
  {
    name: "zstd",
    probe: ["zstd", "--version"],
    debian: "zstd",
    why: "it unpacks layers of images, on a Node that cannot",
  },
  {
    name: "mkfs.ext4",
    probe: ["mkfs.ext4", "-V"],
    debian: "e2fsprogs",
    why: "it makes the disks of replicas",
  },
  {
    name: "nft",
    probe: ["nft", "--version"],
    debian: "nftables",
    why: "it keeps sandboxed replicas from their planes, which is tested with real connections",
  },
  {
    name: "tmux",
    probe: ["tmux", "-V"],
    debian: "tmux",
    why: "`berth top` is tested in a real terminal",
  },
  {
    name: "chromium",
    probe: [process.env["CHROMIUM"] ?? "/usr/bin/chromium", "--version"],
    // Its dependencies bring a font along, without which a page would have no letters.
    debian: "chromium",
    why: "the dashboard is tested in a real browser; the variable CHROMIUM may name another one",
  },
];

const runs = (/** @type {string[]} */ [program = "", ...args]) =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

const apt = (/** @type {string[]} */ ...args) =>
  spawnSync("apt-get", ["-qq", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });

/** The lists of packages are fetched once, however many are missing. */
let isUpdated = false;

/** @param {string} name a Debian package */
function install(name) {
  if (process.getuid?.() !== 0 || !runs(["apt-get", "--version"])) return;
  console.log(`Installing ${name} …`);
  if (!isUpdated) apt("update");
  isUpdated = true;
  apt("install", "-y", "--no-install-recommends", name);
}

/**
 * Where systemd runs, a package starts its service. The tests start their own; one that the package
 * started by itself must not stay.
 * @param {string} service
 */
function stopService(service) {
  runs(["systemctl", "disable", "--now", service]);
}

for (const { name, probe, debian, why, service } of TOOLS) {
  if (!runs(probe)) {
    install(debian);
    if (service !== undefined) stopService(service);
  }
  if (runs(probe)) continue;
  console.log(
    `Cannot find ${name}, and could not install it: ${why}. ` +
      `Install it by hand (Debian: apt-get install ${debian}) and run the tests again.`,
  );
  process.exitCode = 1;
}

for (const tool of CLIENT_TOOLS) {
  if (!hasClient(tool) && runs(["apt-get", "--version"])) installClient(tool);
  if (hasClient(tool)) continue;
  console.log(
    `Cannot find ${tool.name}, and could not unpack it from Debian's package ${tool.debian} into ` +
      `${clientFolder(tool.debian)}: the API is tested with it. On a machine without apt-get, ` +
      "unpack the package and those that it depends on there, and run the tests again.",
  );
  process.exitCode = 1;
}
