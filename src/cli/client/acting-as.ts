/**
 * In whose name a command acts on a machine. A token has a name of its own; on the plane's own
 * machine every user is an administrator and names the actor for the log: by default the login
 * name.
 */
import type { Command } from "commander";
import { UserError } from "../../shell/errors.ts";
import type { ApiClient } from "./api-client.ts";
import { ownName } from "./own-name.ts";

export interface ActingOptions {
  readonly as?: string;
  readonly force?: boolean;
}

export interface Acting {
  readonly name: string;
  /** Lifts what another holds, under one's own name. */
  readonly force: boolean;
}

export function addActingOptions(command: Command): Command {
  return command
    .option("--as <name>", "user to act as (default: the user of your token, or your login name)")
    .option("--force", "remove another user's hold; recorded under your name");
}

/** `own`: the name to act in where nothing else says it. */
export async function actingAs(
  client: ApiClient,
  { as, force = false }: ActingOptions,
  own?: string,
): Promise<Acting> {
  if (as === "") throw new UserError("bad-usage", "--as: found an empty value, expected a name.");
  if (as !== undefined) return { name: as, force };
  const known = ownName(client.server);
  if (known !== undefined) return { name: own ?? known, force };
  const { name } = await client.get<{ readonly name: string }>("/whoami");
  return { name, force };
}
