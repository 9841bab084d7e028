/**
 * An answer about a caller's own objects, without the names of others' work in it. A key is
 * replaced by its kind, so that a reader can still count: "Replica of another tenant", three times,
 * is an answer also to a caller who may not know whose they are.
 */
import { KINDS, type ObjectKey } from "../../core/model/ids.ts";
import type { Sight } from "./sight.ts";

type Shown = Pick<Sight, "seesAll" | "seesKey" | "text">;

export function withoutOthers<T>(answer: T, sight: Shown): T {
  if (sight.seesAll("Workload") && sight.seesAll("Replica")) return answer;
  return cleaned(answer, sight) as T;
}

const KEY = new RegExp(`^(?:${KINDS.join("|")})/([^/]*)/[^/]+$`);

const isKey = (text: string): text is ObjectKey => KEY.test(text);

function cleaned(value: unknown, sight: Shown): unknown {
  if (typeof value === "string") return cleanedText(value, sight);
  if (Array.isArray(value)) return value.map((each) => cleaned(each, sight));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [cleanedText(name, sight), cleaned(field, sight)]),
  );
}

function cleanedText(text: string, sight: Shown): string {
  if (!isKey(text)) return sight.text(text);
  return sight.seesKey(text) ? text : `${text.slice(0, text.indexOf("/"))} of another tenant`;
}
