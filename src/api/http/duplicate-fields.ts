/**
 * Fields that a JSON text gives twice. JSON.parse keeps the last one silently; the author of the
 * text meant something by both, so strict validation names them: the first few, because each costs
 * as much as its path is long.
 */
import { ApiError } from "../errors.ts";
import { BODY } from "./body-limits.ts";
import { echoed } from "./echoed.ts";
import { closingQuote } from "./measure-json.ts";

/** Paths such as `spec.replicas` and `spec.spread[0].by`. The text must be valid JSON. */
export function duplicateFields(text: string): readonly string[] {
  const found: string[] = [];
  const seen: (Set<string> | undefined)[] = [];
  const path: (string | number)[] = [];
  let expectsName = false;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case "{":
        seen.push(new Set());
        path.push("");
        expectsName = true;
        break;
      case "[":
        seen.push(undefined);
        path.push(0);
        break;
      case "}":
      case "]":
        seen.pop();
        path.pop();
        expectsName = false;
        break;
      case ",": {
        const names = seen.at(-1);
        expectsName = names !== undefined;
        if (names === undefined) path.push(Number(path.pop()) + 1);
        break;
      }
      case '"': {
        const end = closingQuote(text, at);
        const names = seen.at(-1);
        if (expectsName && names !== undefined) {
          const name = nameIn(text, at, end);
          checkName(name);
          path[path.length - 1] = name;
          if (names.has(name) && found.length < BODY.duplicatesTold) found.push(joined(path));
          names.add(name);
          expectsName = false;
        }
        at = end;
        break;
      }
      default:
        break;
    }
  }
  return found;
}

/** Hardly any name has an escape in it. */
function nameIn(text: string, opening: number, closing: number): string {
  const name = text.slice(opening + 1, closing);
  return name.includes("\\") ? (JSON.parse(text.slice(opening, closing + 1)) as string) : name;
}

/** Assigned to a plain object, `__proto__` would replace that object's prototype. */
function checkName(name: string): void {
  if (name === "__proto__") {
    throw new ApiError("malformed-body", "The field name __proto__ is not allowed.");
  }
  if (name.length <= BODY.nameBytes) return;
  throw new ApiError(
    "malformed-body",
    `A field name has ${name.length} characters; the limit is ${BODY.nameBytes}: "${echoed(name, 60)}".`,
  );
}

function joined(path: readonly (string | number)[]): string {
  return echoed(
    path
      .map((part, at) => (typeof part === "number" ? `[${part}]` : at === 0 ? part : `.${part}`))
      .join(""),
  );
}
