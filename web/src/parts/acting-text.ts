/** A command as it has to be typed to act under a name. */
import type { Acting } from "./acting.ts";
import { shellWord } from "../../../src/steering/shell-word.ts";

/** A token has its name already; elsewhere the login name need not be the one of the dialog. */
export function actingText(command: string, { isLocal, name }: Acting): string {
  const typed = name.trim();
  return isLocal && typed !== "" ? `${command} --as ${shellWord(typed)}` : command;
}
