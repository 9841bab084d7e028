/**
 * `berth secret`: makes secrets from files and literals, lists their keys, and seals all of them
 * anew after the operator's key has changed.
 */
import type { Command } from "commander";
import { countText } from "../../core/model/text/count-text.ts";
import { addSecretKey } from "../../serve/plane-secret-keys.ts";
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";
import { connect } from "../client/connect.ts";
import { addServerOptions, type ServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { DEFAULT_TENANT } from "../manifests/locate-manifests.ts";

interface CreateOptions extends ServerOptions {
  readonly namespace?: string;
  readonly fromLiteral: readonly string[];
  readonly fromFile: readonly string[];
  readonly type?: string;
}

interface RotateOptions extends ServerOptions {
  readonly addKey?: string;
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

export function registerSecret(program: Command, terminal: Terminal): void {
  const secret = program.command("secret").description("create, list or rotate secrets");
  const create = secret
    .command("create <name>")
    .description("create or change a secret")
    .option("-n, --namespace <tenant>", "tenant of the secret")
    .option("--from-file <key=file>", "value from a file, `-` for standard input", collect, [])
    .option(
      "--from-literal <key=value>",
      "value as it stands; other users of the machine see the command line",
      collect,
      [],
    )
    .option("--type <type>", "what the secret is for (default: Opaque)");
  addServerOptions(create).action((name: string, options: CreateOptions) =>
    createSecret(name, options, terminal),
  );
  const list = secret
    .command("list")
    .description("list secrets with their keys and sizes")
    .option("-n, --namespace <tenant>", "only those of one tenant");
  addServerOptions(list).action((options: ServerOptions & { readonly namespace?: string }) =>
    listSecrets(options, terminal),
  );
  const rotate = secret
    .command("rotate")
    .description("seal all secrets anew with the first key of the plane")
    .option("--add-key <file>", "first put a new key into this key file of the plane");
  addServerOptions(rotate).action((options: RotateOptions) => rotateSecrets(options, terminal));
}

const pathOf = (tenant: string): string => `/api/v1/namespaces/${tenant}/secrets`;

async function createSecret(
  name: string,
  options: CreateOptions,
  terminal: Terminal,
): Promise<void> {
  const { namespace = DEFAULT_TENANT, type } = options;
  const data = Object.fromEntries([
    ...options.fromLiteral.map((text) => pairOf("--from-literal", text, (value) => value)),
    ...options.fromFile.map((text) => pairOf("--from-file", text, fileContent)),
  ]);
  if (Object.keys(data).length === 0) {
    throw new UserError("bad-usage", "Give at least one --from-file KEY=FILE or --from-literal.");
  }
  const body = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name },
    data,
    ...(type === undefined ? {} : { type }),
  };
  await connect(options).send("PATCH", `${pathOf(namespace)}/${encodeURIComponent(name)}`, {
    contentType: "application/apply-patch+yaml",
    body,
    query: { fieldManager: "berth-secret", force: "true" },
  });
  const keys = countText(Object.keys(data).length, "key");
  terminal.out(`secret/${namespace}/${name} has ${keys}\n`);
}

function pairOf(
  option: string,
  text: string,
  read: (value: string) => string | Buffer,
): readonly [string, string] {
  const at = text.indexOf("=");
  // The text may be a value: it is not quoted.
  if (at < 1) throw new UserError("bad-usage", `${option}: expected KEY=VALUE.`);
  return [text.slice(0, at), Buffer.from(read(text.slice(at + 1))).toString("base64")];
}

const fileContent = (file: string): string => readInput(file === "-" ? "/dev/stdin" : file);

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly namespace: string; readonly name: string };
    readonly type: string;
    readonly data?: Readonly<Record<string, string>>;
  }[];
}

async function listSecrets(
  options: ServerOptions & { readonly namespace?: string },
  terminal: Terminal,
): Promise<void> {
  const { namespace } = options;
  const path = namespace === undefined ? "/api/v1/secrets" : pathOf(namespace);
  const { items } = await connect(options).get<Listed>(path);
  const lines = items.map(({ metadata, type, data = {} }) => {
    const keys = Object.entries(data).map(
      ([key, zeros]) => `${key} (${countText(Buffer.from(zeros, "base64").length, "byte")})`,
    );
    return `${metadata.namespace}/${metadata.name}  ${type}  ${keys.join(", ") || "no keys"}\n`;
  });
  terminal.out(lines.length === 0 ? "No secrets.\n" : lines.join(""));
}

interface Step {
  readonly keyId: string;
  readonly rotated: number;
  readonly left: number;
  readonly unreadable: number;
  readonly example?: string;
}

/** Other writes came first each time. */
const IDLE_STEPS_MOST = 10;

async function rotateSecrets(options: RotateOptions, terminal: Terminal): Promise<void> {
  if (options.addKey !== undefined) addSecretKey(options.addKey);
  const client = connect(options);
  let done = 0;
  for (let idle = 0; idle < IDLE_STEPS_MOST; idle++) {
    const step = await client.send<Step>("POST", "/secret-rotation", {
      contentType: "application/json",
      body: {},
    });
    done += step.rotated;
    if (step.left === step.unreadable) return finish(step, done, terminal);
    if (step.rotated > 0) idle = 0;
    terminal.out(`${done} rotated, ${step.left} left\n`);
  }
  throw new UserError("timed-out", `${done} rotated; run the command again.`);
}

function finish({ keyId, unreadable, example }: Step, done: number, terminal: Terminal): void {
  if (unreadable > 0) {
    throw new UserError(
      "request-refused",
      `${countText(unreadable, "secret")}, such as ${example}, cannot be opened with the keys of the plane: add their key.`,
    );
  }
  terminal.out(`${countText(done, "secret")} rotated; all are sealed with ${keyId}.\n`);
}
