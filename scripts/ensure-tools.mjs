/**
 * Finds the real programs the tests drive, and installs what is missing where that is possible. A part that
 * cannot be had is a failure with a sentence, never a test that quietly does not run.
 */
import { spawnSync } from "node:child_process";

const TOOLS = [
  {
    name: "kubectl",
    probe: ["kubectl", "version", "--client"],
    debian: "kubernetes-client",
    why: "the API is tested with the client people use",
  },
];

const runs = (/** @type {string[]} */ [program = "", ...args]) =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

/** @param {string} name a Debian package */
function install(name) {
  if (process.getuid?.() !== 0 || !runs(["apt-get", "--version"])) return;
  console.log(`Installing ${name} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const apt = (/** @type {string[]} */ ...args) =>
    spawnSync("apt-get", ["-qq", ...args], { stdio: ["ignore", "ignore", "inherit"], env });
  apt("update");
  apt("install", "-y", "--no-install-recommends", name);
}

for (const { name, probe, debian, why } of TOOLS) {
  if (!runs(probe)) install(debian);
  if (runs(probe)) continue;
  console.log(
    `Cannot find ${name}, and could not install it: ${why}. ` +
      `Install it by hand (Debian: apt-get install ${debian}) and run the tests again.`,
  );
  process.exitCode = 1;
}
