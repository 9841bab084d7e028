/**
 * `berth token`: the tokens that a plane accepts, in the list that the plane reads and reads again
 * when it changes. The list holds their hashes: a token is printed once, when it is made.
 */
import { type Command, Option } from "commander";
import type { ApiToken } from "../../api/identity/token-registry.ts";
import {
  digestOfStated,
  newToken,
  storedForm,
  tokenIdOf,
} from "../../api/identity/token-digest.ts";
import { TOKEN_FILE_LIMITS } from "../../serve/token-file-limits.ts";
import { UserError } from "../../shell/errors.ts";
import { columns } from "../client/columns.ts";
import { DEFAULT_DATA } from "../client/server-options.ts";
import { keepOutputOwn } from "../keep-output-own.ts";
import type { Terminal } from "../main.ts";
import { bootstrapWords } from "./bootstrap-words.ts";
import { readLifetime } from "./read-lifetime.ts";
import { addTokenLines, type ListOptions, listFileOf, readTokenList } from "./token-list-file.ts";

export interface CreateTokenOptions extends ListOptions {
  readonly group?: readonly string[];
  readonly kind: "user" | "controller" | "admin";
  readonly expires?: string;
  readonly node?: string;
  readonly pool?: string;
  readonly uses?: string;
  readonly cpu?: string;
  readonly memory?: string;
  readonly device?: readonly string[];
  readonly region?: string;
  readonly zone?: string;
  readonly label?: readonly string[];
}

export function registerToken(program: Command, terminal: Terminal): void {
  const group = program
    .command("token")
    .description("create, list or revoke the tokens that a plane accepts");
  const create = group
    .command("create [name]")
    .description("create a token and print it once: of a caller, or to join a node")
    .option("--group <name>", "group of the user; may be repeated", append, [])
    .addOption(
      new Option("--kind <kind>", "kind of the caller")
        .choices(["user", "controller", "admin"])
        .default("user"),
    )
    .option("--expires <duration>", "life of the token (default: 30d, or 1h to join a node)")
    .option("--node <name>", "make a bootstrap token with which an agent joins as this node")
    .option("--cpu <cpus>", "most CPUs that the node may claim")
    .option("--memory <size>", "most memory that the node may claim, such as 8Gi")
    .option(
      "--device <class:count>",
      "devices that the node may claim; may be repeated",
      append,
      [],
    )
    .option("--region <name>", "region of the node")
    .option("--zone <name>", "zone of the node")
    .option("--label <key=value>", "label that the node may have; may be repeated", append, [])
    .option("--pool <name>", "make a bootstrap token for nodes that this pool has made")
    .option("--uses <count>", "how many nodes of the pool it lets in (default: 1)");
  addListOptions(create).action((name: string | undefined, options: CreateTokenOptions) =>
    createAny(name, options, terminal),
  );
  addListOptions(
    group.command("list").description("list tokens by id, name, groups and end"),
  ).action((options: ListOptions) => listTokens(options, terminal));
  addListOptions(
    group
      .command("revoke <name-or-id>")
      .description("end every token of a name, or the one with an id"),
  ).action((which: string, options: ListOptions) => revokeTokens(which, options, terminal));
}

const addListOptions = (command: Command): Command =>
  command
    .option("--file <file>", "list that the plane reads (default: the file tokens in DIR)")
    .option(
      "--data <dir>",
      `data directory of a local plane (default: $BERTH_DATA or ${DEFAULT_DATA})`,
    );

const append = (value: string, before: readonly string[]): readonly string[] => [...before, value];

function createAny(
  name: string | undefined,
  options: CreateTokenOptions,
  terminal: Terminal,
): void {
  const { node, pool, expires = "1h" } = options;
  if ([name, node, pool].filter((each) => each !== undefined).length !== 1) {
    throw new UserError("bad-usage", "Expected one of NAME, --node and --pool.");
  }
  if (name !== undefined) return createToken(name, options, terminal);
  const lifeMs = readLifetime("--expires", expires, TOKEN_FILE_LIMITS.bootstrapMs.value);
  const words = bootstrapWords(options);
  const whose = node === undefined ? `pool ${pool}` : `node ${node}`;
  return add({ options, terminal, whose, line: (token) => `${whose} ${token}`, words, lifeMs });
}

function createToken(name: string, options: CreateTokenOptions, terminal: Terminal): void {
  const { group = [], kind, expires = "30d" } = options;
  if (!/^[\x21-\x7E]+$/.test(name) || name.startsWith("#")) {
    throw new UserError("bad-usage", `"${name}": expected a name without spaces.`);
  }
  const unfit = group.find((each) => !/^[\x21-\x2B\x2D-\x7E]+$/.test(each));
  if (unfit !== undefined) {
    throw new UserError("bad-usage", `--group: found "${unfit}", expected one name.`);
  }
  if (kind !== "user" && group.length > 0) {
    throw new UserError("bad-usage", `--group: only a user has groups, and this is a ${kind}.`);
  }
  const lifeMs = readLifetime("--expires", expires, TOKEN_FILE_LIMITS.lifetimeMs.value);
  const words = group.length === 0 ? "" : ` groups=${group.join(",")}`;
  const line = (token: string): string => `${kind} ${name} ${token}`;
  add({ options, terminal, whose: name, line, words, lifeMs });
}

function add(of: {
  readonly options: ListOptions;
  readonly terminal: Terminal;
  readonly whose: string;
  /** What stands in front of the words. */
  readonly line: (stored: string) => string;
  readonly words: string;
  readonly lifeMs: number;
}): void {
  const { options, terminal, whose, line, words, lifeMs } = of;
  const ends = new Date(Date.now() + lifeMs).toISOString();
  const token = newToken();
  addTokenLines(listFileOf(options), [`${line(storedForm(token))} expires=${ends}${words}`]);
  keepOutputOwn();
  terminal.out(`${token}\n`);
  const id = tokenIdOf(digestOfStated(token));
  terminal.err(
    `Token ${id} of ${whose} ends at ${ends}. It is shown only now; the plane accepts it within a second.\n`,
  );
}

function listTokens(options: ListOptions, terminal: Terminal): void {
  const { tokens, revoked } = readTokenList(listFileOf(options));
  const rows = lastLines(tokens).map(([digest, token]) => [
    tokenIdOf(digest),
    token.joins === undefined ? KIND_WORDS[token.kind] : "bootstrap",
    token.name,
    token.groups?.join(",") ?? "",
    token.expiresMs === undefined ? "never" : new Date(token.expiresMs).toISOString(),
    stateOf(token, revoked.has(digest)),
  ]);
  terminal.out(columns([["ID", "KIND", "NAME", "GROUPS", "EXPIRES", "STATE"], ...rows]));
}

const KIND_WORDS: Readonly<Record<ApiToken["kind"], string>> = {
  local: "admin",
  user: "user",
  agent: "agent",
  controller: "controller",
};

function stateOf({ expiresMs }: ApiToken, isRevoked: boolean): string {
  if (isRevoked) return "revoked";
  return expiresMs !== undefined && expiresMs <= Date.now() ? "expired" : "valid";
}

function revokeTokens(which: string, options: ListOptions, terminal: Terminal): void {
  const file = listFileOf(options);
  const { tokens, revoked } = readTokenList(file);
  const met = lastLines(tokens).filter(
    ([digest, { name }]) => name === which || tokenIdOf(digest) === which,
  );
  if (met.length === 0) {
    const message = `The list has no token with the name or id "${which}": see \`berth token list\`.`;
    throw new UserError("not-found", message, { file });
  }
  const ended = met.filter(([digest]) => !revoked.has(digest));
  if (ended.length > 0) {
    addTokenLines(
      file,
      ended.map(([digest]) => `revoked sha256:${digest}`),
    );
  }
  for (const [digest, { name }] of met) {
    terminal.out(`Token ${tokenIdOf(digest)} of ${name} is revoked.\n`);
  }
}

/** The last line about a token counts. */
const lastLines = (tokens: readonly ApiToken[]): readonly (readonly [string, ApiToken])[] => [
  ...new Map(tokens.map((token) => [digestOfStated(token.token), token])),
];
