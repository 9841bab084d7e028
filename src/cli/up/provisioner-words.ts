/**
 * What the planes of `berth up` are told about who makes machines: the same as they would be by
 * hand.
 */
import { join, resolve } from "node:path";
import { parseProvisioner, readProvisioners } from "../provision/provisioner-plan.ts";
import type { UpOptions } from "../commands/up.ts";

/** Read here already: a mistake is told before anything is started. */
export function provisionerWords(
  options: Pick<UpOptions, "provisioner" | "provisioners">,
  { folder, listens }: { readonly folder: string; readonly listens: readonly string[] },
): readonly string[] {
  const { provisioner = [], provisioners: file } = options;
  if (readProvisioners(options, { hasTokens: false }).length === 0) return [];
  // Whichever plane leads, the agents of one node are in one folder, and find all planes.
  const words = provisioner.map((text) => {
    const { kind } = parseProvisioner(text);
    return kind === "local" && text.endsWith("=local") ? `${text}:${join(folder, "agents")}` : text;
  });
  return [
    ...words.flatMap((word) => ["--provisioner", word]),
    ...(file === undefined ? [] : ["--provisioners", resolve(file)]),
    "--provisioner-server",
    listens.map((listen) => `http://${listen}`).join(","),
  ];
}

/** For the sentence that says how to go on. */
export function provisionerFlags({
  provisioner = [],
  provisioners: file,
}: Pick<UpOptions, "provisioner" | "provisioners">): string {
  const flags = provisioner.map((text) =>
    text.includes(" ") ? ` --provisioner '${text}'` : ` --provisioner ${text}`,
  );
  return `${flags.join("")}${file === undefined ? "" : ` --provisioners ${file}`}`;
}
