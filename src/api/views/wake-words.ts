/** What would end a wait, in words: the facts it names, as a person would say them. */
import type { Fact } from "../../core/protocol/decision.ts";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import { RECOVERY_BUDGETS_FACT } from "../../core/observe/facts.ts";

/**
 * A group of a hundred tenants makes two hundred facts; the first ones tell what kind they are of.
 */
const WORDS_SHOWN = 6;

export function wakeWords(facts: readonly Fact[]): readonly string[] {
  const words = [...new Set(facts.map(inWords))];
  if (words.length <= WORDS_SHOWN) return words;
  return [...words.slice(0, WORDS_SHOWN), `${words.length - WORDS_SHOWN} other things`];
}

function inWords(fact: Fact): string {
  if (fact === RECOVERY_BUDGETS_FACT) return "a recovery budget is granted, freed or raised";
  if (fact === "nodes") return "a node joins, recovers or gains room";
  const at = fact.indexOf(":");
  const [kind, of] = at < 0 ? ["", fact] : [fact.slice(0, at), fact.slice(at + 1)];
  switch (kind) {
    case "quota":
      return `quota of tenant ${of} becomes free or larger`;
    case "quota-group":
      return `the tenants or limits of group ${of} change`;
    case "quota-claim":
      return `tenant ${of} needs less of its own quota`;
    case "siblings":
      return `a replica of ${of} is bound or released`;
    case "near": {
      const [tenant = "", label = ""] = splitOnce(of);
      const which = label === "" ? "" : ` with ${label}`;
      return `a replica of tenant ${tenant}${which} is bound`;
    }
    case "room":
      return `room is freed on ${of}`;
    default:
      return objectWords(fact);
  }
}

const splitOnce = (text: string): readonly string[] => {
  const at = text.indexOf("/");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
};

/** Every other fact is the key of an object, which changed. */
function objectWords(fact: Fact): string {
  const { kind, namespace, name } = parseKey(fact as ObjectKey);
  const whole = namespace === "" ? name : `${namespace}/${name}`;
  return `the ${kind.toLowerCase()} ${whole} changes`;
}
