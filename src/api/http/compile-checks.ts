/**
 * Gets the checks of what clients and agents send ready before they come. A plane that shares its
 * log may come to lead at any moment, with clients waiting, and must not begin with half a second
 * of compiling schemas.
 */
import { ALL_KINDS } from "../kinds/all-kinds.ts";
import { compileCheck } from "../schema/check-object.ts";
import { compileCommandsChecks } from "./commands-check.ts";

export function compileChecks(): void {
  for (const kind of ALL_KINDS) compileCheck(kind);
  compileCommandsChecks();
}
