/**
 * Brings an image from a registry into an OCI layout. Skopeo knows the protocols and the operator's
 * credentials; it hands on every part as the registry has it, because the image store verifies all
 * of the layout by digest, from the one that the template names.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { AGENT_LIMITS } from "../../agent-limits.ts";
import { toolPath } from "../find-tool.ts";
import { chosenIn, type Manifest } from "./image-manifest.ts";

export interface FetchedImage {
  /** The registry's name of it. */
  readonly name: string;
  readonly digest: string;
  /** An empty folder. */
  readonly layout: string;
  readonly authFile?: string | undefined;
  /** Left out: as many as an image may have. */
  readonly mostBytes?: number;
}

const PATIENCE_MS = 600_000;
const LOOK_MS = 200;
const PART = /^[0-9a-f]{64}$/;
const run = promisify(execFile);

export async function fetchImage(of: FetchedImage): Promise<void> {
  const { name, digest, layout } = of;
  const blobs = join(layout, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const raw = await inspect(of);
  const found = createHash("sha256").update(raw).digest("hex");
  if (`sha256:${found}` !== digest)
    throw new Error(`The registry has other content under ${digest}: its digest is ${found}.`);
  writeFileSync(join(blobs, found), raw);
  const chosen = chosenIn(JSON.parse(raw.toString("utf8")) as Manifest) ?? { digest };
  // Checked before it becomes a word of a command.
  const hex = /^sha256:([0-9a-f]{64})$/.exec(chosen.digest)?.[1];
  if (hex === undefined)
    throw new Error(`${JSON.stringify(chosen.digest)} is no digest of SHA-256.`);
  const folder = join(layout, "fetched");
  mkdirSync(folder);
  await copy(of, `docker://${name}@sha256:${hex}`, folder);
  renameSync(join(folder, "manifest.json"), join(blobs, hex));
  for (const part of readdirSync(folder)) {
    if (PART.test(part)) renameSync(join(folder, part), join(blobs, part));
  }
  rmSync(folder, { recursive: true, force: true });
}

const credentials = ({ authFile }: FetchedImage): readonly string[] =>
  authFile === undefined ? [] : ["--authfile", authFile];

async function inspect(of: FetchedImage): Promise<Buffer> {
  const words = ["inspect", "--raw", ...credentials(of), `docker://${of.name}@${of.digest}`];
  const { stdout } = await run(toolPath("skopeo"), words, {
    timeout: PATIENCE_MS,
    encoding: "buffer",
    maxBuffer: AGENT_LIMITS.imageJsonBytes.value,
  });
  return stdout;
}

/** A registry may send without an end, so what has come is measured while it comes. */
async function copy(of: FetchedImage, from: string, folder: string): Promise<void> {
  const { mostBytes = AGENT_LIMITS.imageBytes.value } = of;
  const stopped = new AbortController();
  let isTooLarge = false;
  const look = setInterval(() => {
    isTooLarge ||= bytesIn(folder) > mostBytes;
    if (isTooLarge) stopped.abort();
  }, LOOK_MS);
  try {
    // Neither compressed nor written anew: another manifest would have another digest.
    const words = ["copy", "--quiet", "--preserve-digests", ...credentials(of)];
    await run(toolPath("skopeo"), [...words, from, `dir:${folder}`], {
      timeout: PATIENCE_MS,
      signal: stopped.signal,
      killSignal: "SIGKILL",
    });
  } catch (error) {
    if (isTooLarge)
      throw new Error(`The image has more than ${mostBytes} bytes.`, { cause: error });
    throw error;
  } finally {
    clearInterval(look);
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder).reduce(
    (all, name) => all + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
