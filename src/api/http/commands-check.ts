/** Checks what agents and remote controllers send as commands. */
import { Ajv, type ValidateFunction } from "ajv";
import type { Request } from "../../core/kernel/component.ts";
import { commandsSchema } from "./request-schema.ts";

export interface CommandsBody {
  readonly from: string;
  readonly request: Request;
}

let compiled: ValidateFunction<CommandsBody> | undefined;

/** Compiled on first use, which takes a while: a plane without remote agents never needs it. */
export function commandsCheck(): ValidateFunction<CommandsBody> {
  // Optimizing takes as long as all the rest of compiling, and saves a check next to nothing.
  const options = { strict: false, code: { optimize: false } };
  compiled ??= new Ajv(options).compile<CommandsBody>(commandsSchema);
  return compiled;
}
