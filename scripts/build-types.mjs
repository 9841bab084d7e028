/** Writes the declarations of the client library, and of the types that it names, into a folder. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiler = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

/** @param {string} folder */
export async function buildTypes(folder) {
  const args = [compiler, "-p", "src/client/tsconfig.json", "--outDir", folder];
  await promisify(execFile)(process.execPath, args, { cwd: root });
}
