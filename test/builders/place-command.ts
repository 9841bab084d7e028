/**
 * Puts the command line, bundled from the sources as they are now, into a folder. Some thirty files
 * of tests run it: the first of them bundles it, the others get a copy.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../scripts/bundle.mjs";
import { aBuildFolder } from "./a-build-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const keptIn = join(root, ".tsbuild");
const PREFIX = "command-of-";
/** What it is made from. */
const FOLDERS = ["src", "scripts"];
const FILES = ["package.json", "package-lock.json"];

/** A run of all tests is over by then, so that none of them still copies it. */
const KEPT_FOR_MS = 24 * 3_600_000;

export async function placeCommand(folder: string): Promise<void> {
  const kept = join(keptIn, `${PREFIX}${stateOfSources()}`);
  if (!existsSync(kept)) await keep(kept);
  cpSync(kept, folder, { recursive: true });
}

/** Changes with every write to a file that the bundle is made from. */
function stateOfSources(): string {
  const state = createHash("sha256");
  for (const path of [...FOLDERS.flatMap(filesUnder), ...FILES]) {
    const { size, mtimeMs, ctimeMs } = statSync(join(root, path));
    state.update(`${path} ${size} ${mtimeMs} ${ctimeMs}\n`);
  }
  return state.digest("hex").slice(0, 16);
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesUnder(path);
    return path.endsWith(".test.ts") ? [] : [path];
  });
}

/** Under its name only once it is whole. Two files of tests may bundle at once: the second to end drops its own. */
async function keep(kept: string): Promise<void> {
  const making = aBuildFolder("command");
  await bundle(making);
  try {
    renameSync(making, kept);
  } catch (error) {
    if (!existsSync(kept)) throw error;
    rmSync(making, { recursive: true });
  }
  for (const name of readdirSync(keptIn).filter((each) => each.startsWith(PREFIX))) {
    const isOld = Date.now() - statSync(join(keptIn, name)).mtimeMs > KEPT_FOR_MS;
    if (isOld) rmSync(join(keptIn, name), { recursive: true, force: true });
  }
}
