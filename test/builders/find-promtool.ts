/** Where Prometheus' own checker of rules is on this machine; throws when it is missing. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export function findPromtool(path = process.env["PATH"] ?? ""): string {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, "promtool");
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // In the next folder, perhaps.
    }
  }
  throw new Error(
    `Cannot find the program promtool in PATH (${path}). Install it (Debian: apt-get install prometheus).`,
  );
}
