/**
 * Sentences of the plane name work as `tenant/name`, `kind/tenant/name` or by a key. For a caller
 * who may not see that work the name is replaced, whether or not there is such a tenant: what is
 * hidden must not tell which tenants exist.
 */
import { KINDS } from "../../core/model/ids.ts";

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

export const hideOthers = (text: string, sees: Sees): string =>
  hideNames(
    text.replace(KEYS, (found, kind: string, namespace: string, name: string) =>
      sees(namespace, name) ? found : `${kind} of another tenant`,
    ),
    sees,
  );

type Sees = (namespace: string, name: string) => boolean;

const hideNames = (text: string, sees: Sees): string =>
  text.replace(NAMED, (found, _kind: string | undefined, namespace: string, name: string) => {
    const isNoWork = OF_FLEET.has(namespace) || (NUMBER.test(namespace) && NUMBER.test(name));
    return isNoWork || sees(namespace, name) ? found : OTHERS;
  });
