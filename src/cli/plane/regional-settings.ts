/** What was said of a plane that serves one region, and of the global plane that lends it quota. */
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";
import type { GlobalAddress } from "../../serve/regional/ask-global.ts";
import type { PlaneCommandOptions } from "../commands/plane.ts";
import { parseServers } from "../client/parse-servers.ts";

export interface RegionalSettings {
  readonly region: string;
  readonly global: GlobalAddress;
}

/** As for every name of an object. */
const NAME = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;

export function readRegional(options: PlaneCommandOptions): RegionalSettings | undefined {
  const { region, global, globalTokenFile, globalCaFile } = options;
  if (region === undefined) {
    const alone = Object.entries({
      "--global": global,
      "--global-token-file": globalTokenFile,
      "--global-ca-file": globalCaFile,
    }).find(([, value]) => value !== undefined)?.[0];
    if (alone === undefined) return undefined;
    throw new UserError("bad-usage", `${alone} needs --region: name the region of this plane.`);
  }
  if (!NAME.test(region)) {
    throw new UserError(
      "bad-usage",
      `--region: found "${region}", expected a name such as eu-west: lower-case letters, digits, '-' and '.'.`,
    );
  }
  if (global === undefined) {
    throw new UserError(
      "bad-usage",
      "--region needs --global: the address of the plane that lends this region quota.",
    );
  }
  const token = globalTokenFile === undefined ? undefined : readInput(globalTokenFile).trim();
  const ca = globalCaFile === undefined ? undefined : readInput(globalCaFile);
  return { region, global: { urls: parseServers(global, "--global"), credentials: { token, ca } } };
}
