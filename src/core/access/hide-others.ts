/**
 * Sentences of the plane name work as `tenant/name`, `kind/tenant/name` or by a key. For a caller
 * who may not see that work the name is replaced, whether or not there is such a tenant: what is
 * hidden must not tell which tenants exist.
 */
import { KINDS } from "../model/ids.ts";

export const OTHERS = "work of another tenant";

/** Not behind a slash, a colon or a dot: those are paths, addresses and names of labels. */
const NAMED =
  /(?<![\w./:@-])(?:([A-Za-z]+)\/)?([a-z0-9][a-z0-9-]*)\/([a-z0-9][a-z0-9.-]*[a-z0-9]|[a-z0-9])(?![\w/:])/g;
const NUMBER = /^\d+$/;
/** What belongs to the fleet is named `node/n1`. */
const OF_FLEET: ReadonlySet<string> = new Set([
  "node",
  "region",
  "zone",
  "policy",
  "policyrevision",
  "priorityclass",
  "override",
  "nodepool",
  "lease",
  "group",
]);

/** Also within the id of an operation, which names what it was for. */
const KEYS = new RegExp(`\\b(${KINDS.join("|")})/([^/\\s,;]+)/([^/\\s,;]+)`, "g");

/**
 * A sentence that names a tenant says so: "tenant payments". Behind "the" or "another" the word
 * stands for itself, and none of the words below is the name of a tenant in a sentence.
 */
const TENANT =
  /(?<!\b(?:an?|the|its|own|each|every|other|another|one|this|that) )\btenant (?!(?:or|and|are|is|has|had|that|which|of|in|to|for|with|within|needs|waits|quota|would)\b)([a-z0-9][a-z0-9-]*)/g;

/** What a wait names to be woken (`facts.ts`), with the tenant behind the colon. */
const FACT = /(?<![\w-])(quota|quota-claim|siblings|near):([a-z0-9][a-z0-9-]*)(?:\/[^\s,;]*)?/g;

export interface Sees {
  work(namespace: string, name: string): boolean;
  tenant(name: string): boolean;
}

export function hideOthers(text: string, sees: Sees): string {
  const withoutKeys = text.replace(KEYS, (found, kind: string, namespace: string, name: string) =>
    sees.work(namespace, name) ? found : `${kind} of another tenant`,
  );
  const withoutFacts = withoutKeys.replace(FACT, (found, fact: string, name: string) =>
    sees.tenant(name) ? found : `${fact}:another tenant`,
  );
  return hideNames(withoutFacts, sees).replace(TENANT, (found, name: string) =>
    sees.tenant(name) ? found : "another tenant",
  );
}

const hideNames = (text: string, sees: Sees): string =>
  text.replace(NAMED, (found, _kind: string | undefined, namespace: string, name: string) => {
    const isNoWork = OF_FLEET.has(namespace) || (NUMBER.test(namespace) && NUMBER.test(name));
    return isNoWork || sees.work(namespace, name) ? found : OTHERS;
  });
