/** A new folder inside the repository, so that a bundle in it finds its packages; apart from dist, which may be older. */
import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const parent = fileURLToPath(new URL("../../.tsbuild", import.meta.url));

export function aBuildFolder(name: string): string {
  // A fresh clone has none.
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, `${name}-`));
}
