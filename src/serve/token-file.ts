/**
 * The list of who may speak to a plane, one on each line: `user NAME TOKEN`, `agent NODE TOKEN`,
 * `controller NAME TOKEN` or `admin NAME TOKEN`. Behind it may stand when the token expires, of a
 * user the groups (`groups=devs,payments`), and, of an agent, what its operator states of the node:
 * `agent n1 TOKEN cpu=64 memory=256Gi region=eu zone=eu-a devices=gpu:8 labels=disk=fast,rack=7`.
 * A token that buys an agent its certificate is `node NAME TOKEN expires=…`, with the same words
 * about the node, or `pool NAME TOKEN expires=… uses=5` for nodes that a pool has made.
 * In the place of a token may stand its hash, `sha256:HEX`. A line `revoked sha256:HEX` ends every
 * other line of that token: the list grows at its end only, so that two writers lose no line.
 */
import type { ApiToken } from "../api/identity/token-registry.ts";
import type { NodeApproval } from "../core/model/node/node-approval.ts";
import { digestOfStated, statedDigest } from "../api/identity/token-digest.ts";
import { CPU_FORM, MEMORY_FORM, parseCpu, parseMemory } from "../quantity/quantity.ts";
import { UserError } from "../shell/errors.ts";
import { isReservedName } from "../api/identity/reserved-name.ts";
import { TOKEN_FILE_LIMITS } from "./token-file-limits.ts";

/** Shorter ones can be guessed by trying. */
const SHORTEST = 16;

export interface TokenList {
  /** In the order of their lines, those that were revoked among them. */
  readonly tokens: readonly ApiToken[];
  /** Digests. */
  readonly revoked: ReadonlySet<string>;
}

/** Those that are in force. */
export function parseTokens(text: string, file: string): readonly ApiToken[] {
  const { tokens, revoked } = parseTokenList(text, file);
  return tokens.filter(({ token }) => !revoked.has(digestOfStated(token)));
}

export function parseTokenList(text: string, file: string): TokenList {
  if (Buffer.byteLength(text) > TOKEN_FILE_LIMITS.listBytes.value) {
    const { value } = TOKEN_FILE_LIMITS.listBytes;
    const message = `The list has more than ${value} bytes; remove lines of tokens that have ended.`;
    throw new UserError("invalid-file", message, { file });
  }
  const tokens: ApiToken[] = [];
  const revoked = new Set<string>();
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "" || line.trim().startsWith("#")) return;
    const bad = (message: string): UserError =>
      new UserError("invalid-file", message, { file, line: index + 1 });
    const words = line.trim().split(/\s+/);
    if (words[0] === "revoked") revoked.add(readRevoked(words, bad));
    else tokens.push(parseLine(words, bad));
  });
  if (tokens.length > 0) return { tokens, revoked };
  throw new UserError(
    "invalid-file",
    "The file contains no tokens; add a line such as `user NAME TOKEN`.",
    { file },
  );
}

function readRevoked([, word = "", ...rest]: readonly string[], bad: Bad): string {
  const digest = statedDigest(word);
  if (digest !== undefined && rest.length === 0) return digest;
  throw bad("Expected `revoked sha256:HEX`, with the SHA-256 of the token in 64 digits.");
}

type Bad = (message: string) => UserError;

function parseLine([word, name, token, ...rest]: readonly string[], bad: Bad): ApiToken {
  if (word === "node" || word === "pool") return readJoin(word, [name, token, ...rest], bad);
  const kind = KINDS[word ?? ""];
  if (kind === undefined || name === undefined || token === undefined) {
    throw bad(
      "Expected `user NAME TOKEN`, `agent NODE TOKEN`, `controller NAME TOKEN` or `admin NAME TOKEN`.",
    );
  }
  checkWords(name, token, bad);
  const fields = readFields(rest, bad);
  const expires = fields.get("expires");
  fields.delete("expires");
  const ends = expires === undefined ? {} : { expiresMs: readTime(expires, bad) };
  if (kind === "agent" && fields.has("groups")) {
    throw bad("Found groups= after the token of an agent, whose groups follow from its kind.");
  }
  if (fields.has("uses")) throw bad("Found uses=, expected it only behind the token of a pool.");
  if (kind === "agent") return { kind, name, token, ...ends, approved: readApproval(fields, bad) };
  const isUser = kind === "user";
  const stated = isUser ? fields.get("groups") : undefined;
  const groups = stated === undefined ? {} : { groups: readGroups(stated, bad) };
  if (isUser) fields.delete("groups");
  const [other] = fields.keys();
  if (other === undefined) return { kind, name, token, ...groups, ...ends };
  throw bad(
    `Found ${other}=, expected only ${isUser ? "groups= and " : ""}expires= after the token of ${isUser ? "a user" : `a ${word}`}.`,
  );
}

function checkWords(name: string, token: string, bad: Bad): void {
  if (name.length > TOKEN_FILE_LIMITS.nameLength.value) {
    const { value } = TOKEN_FILE_LIMITS.nameLength;
    throw bad(`The name has ${name.length} characters; expected at most ${value}.`);
  }
  if (isReservedName(name)) {
    throw bad(`"${name}" is a name of the plane's own; choose one without "system:" or "berth:".`);
  }
  if (token.length < SHORTEST) {
    throw bad(
      `The token of ${name} has ${token.length} characters; expected at least ${SHORTEST}. Generate one with \`openssl rand -hex 16\`.`,
    );
  }
}

/** An end is needed: such a token is copied to machines, and forgotten there. */
function readJoin(
  word: "node" | "pool",
  [name, token, ...rest]: readonly (string | undefined)[],
  bad: Bad,
): ApiToken {
  if (name === undefined || token === undefined) {
    throw bad(`Expected \`${word} NAME TOKEN expires=TIME\`.`);
  }
  checkWords(name, token, bad);
  const fields = readFields(rest.map(String), bad);
  const expires = fields.get("expires");
  if (expires === undefined) throw bad(`The token of ${word} ${name} needs expires=.`);
  const common = { kind: "agent", token, expiresMs: readTime(expires, bad) } as const;
  fields.delete("expires");
  if (fields.has("groups")) throw bad("Found groups= after a token that buys a certificate.");
  if (word === "node") {
    if (fields.has("uses")) throw bad("uses: a token for one node is used once; leave it out.");
    return { ...common, name, joins: { uses: 1 }, approved: readApproval(fields, bad) };
  }
  const text = fields.get("uses") ?? "1";
  const uses = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  const { value: most } = TOKEN_FILE_LIMITS.uses;
  if (uses < 1 || uses > most) throw bad(`uses: found "${text}", expected 1 to ${most}.`);
  fields.delete("uses");
  const [other] = fields.keys();
  if (other !== undefined) {
    throw bad(`Found ${other}=, which the pool says of its nodes; leave it out.`);
  }
  // A name that no node has: no rule about the agent of a node may ever mean this caller.
  return { ...common, name: `pool:${name}`, joins: { uses, pool: name } };
}

function readGroups(text: string, bad: Bad): readonly string[] {
  const groups = text.split(",");
  if (groups.includes("")) throw bad(`groups: found "${text}", expected names between commas.`);
  if (groups.length > TOKEN_FILE_LIMITS.groups.value) {
    throw bad(
      `groups: found ${groups.length}, expected at most ${TOKEN_FILE_LIMITS.groups.value}.`,
    );
  }
  const reserved = groups.find(isReservedName);
  if (reserved === undefined) return groups;
  throw bad(
    `groups: "${reserved}" is a name of the plane's own; bind a role to another group, or use an admin line.`,
  );
}

const KINDS: Readonly<Record<string, ApiToken["kind"] | undefined>> = {
  user: "user",
  agent: "agent",
  controller: "controller",
  admin: "local",
};

function readFields(words: readonly string[], bad: Bad): Map<string, string> {
  const fields = new Map<string, string>();
  for (const word of words) {
    const at = word.indexOf("=");
    const key = word.slice(0, Math.max(0, at));
    if (at <= 0 || !FIELDS.has(key)) {
      // Not the word itself: it may be a part of a token.
      throw bad(`Expected ${[...FIELDS].map((each) => `${each}=`).join(", ")} after the token.`);
    }
    if (fields.has(key)) throw bad(`Found ${key}= twice; remove one.`);
    fields.set(key, word.slice(at + 1));
  }
  return fields;
}

const FIELDS: ReadonlySet<string> = new Set([
  "cpu",
  "memory",
  "devices",
  "region",
  "zone",
  "labels",
  "expires",
  "groups",
  "uses",
]);

function readTime(text: string, bad: Bad): number {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  if (Number.isFinite(ms)) return ms;
  throw bad(`expires: found "${text}", expected a time such as 2027-01-31T12:00:00Z.`);
}

const named = (text: string): string | undefined => (text === "" ? undefined : text);

function readApproval(fields: ReadonlyMap<string, string>, bad: Bad): NodeApproval {
  const read = <T>(name: string, parse: (text: string) => T | undefined, form: string) => {
    const text = fields.get(name);
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined) {
      throw bad(`${name}: found "${text}", expected ${form}.`);
    }
    return value;
  };
  const cpuMillis = read("cpu", parseCpu, CPU_FORM);
  const memoryMiB = read("memory", parseMemory, MEMORY_FORM);
  const devices = read("devices", parseDevices, "CLASS:COUNT, such as gpu:8");
  const region = read("region", named, "a name");
  const zone = read("zone", named, "a name");
  const labels = read("labels", parseLabels, "KEY=VALUE pairs separated by commas");
  return {
    ...(cpuMillis === undefined ? {} : { cpuMillis }),
    ...(memoryMiB === undefined ? {} : { memoryMiB }),
    ...(devices === undefined ? {} : { devices }),
    ...(region === undefined ? {} : { region }),
    ...(zone === undefined ? {} : { zone }),
    ...(labels === undefined ? {} : { labels }),
  };
}

function parseDevices(text: string): Readonly<Record<string, number>> | undefined {
  const entries = text.split(",").map((each) => /^([^:=,]+):(\d{1,6})$/.exec(each));
  const read = entries.flatMap((match) =>
    match?.[1] === undefined ? [] : [[match[1], Number(match[2])] as const],
  );
  return read.length === entries.length ? Object.fromEntries(read) : undefined;
}

function parseLabels(text: string): Readonly<Record<string, string>> | undefined {
  const entries = text.split(",").map((each) => {
    const at = each.indexOf("=");
    return at <= 0 ? undefined : ([each.slice(0, at), each.slice(at + 1)] as const);
  });
  const read = entries.flatMap((entry) => (entry === undefined ? [] : [entry]));
  return read.length === entries.length ? Object.fromEntries(read) : undefined;
}

/**
 * A line is cut at these; a word with one of them in it cannot be stated, and waits for approval.
 */
const isWord = (text: string): boolean => !/[\s,:=]/.test(text);

/**
 * The fields behind an agent's token that approve a node of this description, as far as a line can.
 */
export function approvalWords(of: NodeApproval): string {
  const { cpuMillis, memoryMiB } = of;
  const [region, zone] = [of.region, of.zone].map((name) =>
    name !== undefined && name !== "" && !/\s/.test(name) ? name : undefined,
  );
  const counted = Object.entries(of.devices ?? {})
    .filter(([name]) => name !== "" && isWord(name))
    .map(([name, count]) => `${name}:${count}`);
  const labelled = Object.entries(of.labels ?? {})
    .filter(([key, value]) => key !== "" && isWord(key) && !/[\s,]/.test(value))
    .map(([key, value]) => `${key}=${value}`);
  return [
    ...(cpuMillis === undefined ? [] : [`cpu=${cpuMillis}m`]),
    ...(memoryMiB === undefined ? [] : [`memory=${memoryMiB}Mi`]),
    ...(counted.length === 0 ? [] : [`devices=${counted.join(",")}`]),
    ...(region === undefined ? [] : [`region=${region}`]),
    ...(zone === undefined ? [] : [`zone=${zone}`]),
    ...(labelled.length === 0 ? [] : [`labels=${labelled.join(",")}`]),
  ].join(" ");
}
