/** Where the machine has a program; a driver names the program that it lacks. */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";

/** Also where PATH is short, as under some service managers. */
const USUAL = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

export function findTool(name: string, path = process.env["PATH"] ?? ""): string | undefined {
  const folders = [...path.split(":").filter((folder) => folder.startsWith("/")), ...USUAL];
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Those of these tools that are missing, as sentences; each comes with its package. */
export const missingTools = (
  tools: Readonly<Record<string, string>>,
  find = findTool,
): readonly string[] =>
  Object.entries(tools).flatMap(([tool, debian]) =>
    find(tool) === undefined ? [`it lacks ${tool} (Debian: ${debian})`] : [],
  );
