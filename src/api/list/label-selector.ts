/** Label selectors as Kubernetes users write them: `app=web,tier!=cache,zone in (a,b),rank>3`. */
import type { Labels } from "../../core/model/objects.ts";
import { ApiError } from "../errors.ts";
import { echoed } from "../http/echoed.ts";
import { checkSelectorLength, checkSelectorTerms } from "./selector-size.ts";

export type LabelMatch = (labels: Labels) => boolean;

const NAME = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?$/;
const VALUE = /^(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?$/;
const SET = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/;
/** As long as an integer of 64 bits. */
const WHOLE = /^-?\d{1,19}$/;
/** Where the label is a whole number. */
const ORDER = /^([^<>=!\s]+)\s*([<>])\s*([^<>=!]*)$/;
const EQUALITY = /^([^=!\s]+)\s*(==|=|!=)([^=!]*)$/;

const MATCH_ALL: LabelMatch = () => true;

/** Every requirement must hold; an empty selector matches everything. */
export function parseLabelSelector(text: string | undefined): LabelMatch {
  if (text === undefined || text.trim() === "") return MATCH_ALL;
  checkSelectorLength(text);
  const parts = splitOutsideParentheses(text);
  checkSelectorTerms(parts);
  const requirements = parts.map((part) => requirement(part.trim(), text));
  return (labels) => requirements.every((matches) => matches(labels));
}

function requirement(part: string, whole: string): LabelMatch {
  const set = SET.exec(part);
  if (set !== null) {
    const key = name(set[1], whole);
    const given = (set[3] ?? "").split(",");
    checkSelectorTerms(given);
    const values = new Set(given.map((each) => value(each, whole)));
    const isIn = set[2] === "in";
    return (labels) => {
      const found = own(labels, key);
      return found === undefined ? !isIn : values.has(found) === isIn;
    };
  }
  const order = ORDER.exec(part);
  if (order !== null) {
    const key = name(order[1], whole);
    const bound = wholeNumber(order[3] ?? "", whole);
    const isAbove = order[2] === ">";
    return (labels) => {
      const found = own(labels, key) ?? "";
      if (!WHOLE.test(found)) return false;
      return isAbove ? BigInt(found) > bound : BigInt(found) < bound;
    };
  }
  const equality = EQUALITY.exec(part);
  if (equality !== null) {
    const key = name(equality[1], whole);
    const wanted = value(equality[3] ?? "", whole);
    // As in Kubernetes, an object without the label is "not equal" to every value.
    return equality[2] === "!="
      ? (labels) => own(labels, key) !== wanted
      : (labels) => own(labels, key) === wanted;
  }
  if (part.startsWith("!")) {
    const key = name(part.slice(1).trim(), whole);
    return (labels) => own(labels, key) === undefined;
  }
  const key = name(part, whole);
  return (labels) => own(labels, key) !== undefined;
}

const own = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

function name(text: string | undefined, whole: string): string {
  if (text !== undefined && NAME.test(text)) return text;
  throw new ApiError(
    "bad-selector",
    `The label selector "${echoed(whole)}" has ${text === undefined || text === "" ? "an empty label name" : `"${echoed(text)}" where a label name is expected`}.`,
  );
}

function value(text: string, whole: string): string {
  const trimmed = text.trim();
  if (VALUE.test(trimmed) && trimmed.length <= 63) return trimmed;
  throw new ApiError(
    "bad-selector",
    `The label selector "${echoed(whole)}" has "${echoed(trimmed)}" where a label value is expected.`,
  );
}

function wholeNumber(text: string, whole: string): bigint {
  const trimmed = text.trim();
  if (WHOLE.test(trimmed)) return BigInt(trimmed);
  throw new ApiError(
    "bad-selector",
    `The label selector "${echoed(whole)}" has "${echoed(trimmed)}" where a whole number is expected.`,
  );
}

function splitOutsideParentheses(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
