/**
 * The name of the user who runs this process, as logs and the audit trail show it. The plane and
 * the command line of one person find the same name: what one of them holds the other may lift.
 */
import { userInfo } from "node:os";

/** For a user id without a name, as in many containers. */
const NAMELESS = "local";

/** Names of users may have any form; headers and lists of tokens have none of white space. */
export function loginName(): string {
  found ??= findName();
  return found;
}

/** Looked up once: the user of a process stays the same, and asking the system costs a read. */
let found: string | undefined;

function findName(): string {
  try {
    return userInfo().username.replaceAll(/[^\x21-\x7E]/g, "_") || NAMELESS;
  } catch {
    return NAMELESS;
  }
}
