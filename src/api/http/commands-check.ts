/** Checks what agents and remote controllers send as commands. */
import { Ajv, type ValidateFunction } from "ajv";
import type { Request } from "../../core/kernel/component.ts";
import { fieldOf } from "./json-value.ts";
import { COMMAND_SCHEMAS, OTHER_BODY } from "./request-schema.ts";

export interface CommandsBody {
  readonly from: string;
  readonly request: Request;
}

/** Optimizing takes as long as all the rest of compiling, and saves a check next to nothing. */
const ajv = new Ajv({ strict: false, code: { optimize: false } });

const compiled = new Map<string, ValidateFunction<CommandsBody>>();

/** Of a body without an intent of a known kind. */
const OTHER = "";

/**
 * The check for a body, by the kind of its intent: held against all kinds in turn, a lease would
 * fail thirty of them first. Compiled on first use.
 */
export function commandsCheck(body: unknown): ValidateFunction<CommandsBody> {
  const intent = fieldOf(fieldOf(fieldOf(body, "request"), "command"), "intent");
  const kind = fieldOf(intent, "kind");
  return checkOf(typeof kind === "string" && COMMAND_SCHEMAS.has(kind) ? kind : OTHER);
}

/** Compiling takes half a second together. */
export function compileCommandsChecks(): void {
  for (const kind of COMMAND_SCHEMAS.keys()) checkOf(kind);
  checkOf(OTHER);
}

function checkOf(kind: string): ValidateFunction<CommandsBody> {
  const known = compiled.get(kind);
  if (known !== undefined) return known;
  const check = ajv.compile<CommandsBody>(COMMAND_SCHEMAS.get(kind) ?? OTHER_BODY);
  compiled.set(kind, check);
  return check;
}
