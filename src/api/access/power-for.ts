/** Commands of people that change what no object expresses ask for a power of their own. */
import { powerOf } from "../../core/access/asked-of-command.ts";
import type { ResourceRequest } from "../../core/model/access.ts";
import type { Command } from "../../core/protocol/command.ts";
import type { Caller } from "../http/caller.ts";

/** Undefined: the kind of the sender decides alone (`check-sender.ts`). */
export const powerFor = ({ kind }: Caller, { intent }: Command): ResourceRequest | undefined =>
  kind === "user" ? powerOf(intent) : undefined;
