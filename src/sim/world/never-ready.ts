/** Templates whose processes run and never become ready: a release that does not work. */
import type { Template } from "../../core/model/objects.ts";

/** As the first word of the command. */
export const NEVER_READY = "never-ready";

export const hasNeverReady = ({ command }: Pick<Template, "command">): boolean =>
  command[0] === NEVER_READY;
