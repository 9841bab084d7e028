/** Where the machine has a program; a driver names the program that it lacks. */
import { accessSync, constants, statSync } from "node:fs";
import { join } from "node:path";

/** Also where PATH is short, as under some service managers. */
const USUAL = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

export function findTool(name: string, path = process.env["PATH"] ?? ""): string | undefined {
  const folders = [...path.split(":").filter((folder) => folder.startsWith("/")), ...USUAL];
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

/** Where it is: the PATH of what runs it may lack the folder in which the agent found it. */
export const toolPath = (name: string): string => findTool(name) ?? name;

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
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
