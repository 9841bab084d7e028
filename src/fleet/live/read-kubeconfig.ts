/**
 * The part of a kubeconfig that a read-only import needs: where the API is, how to know it, and how
 * to be known to it. What it does not support is an error that says so, never a silent default.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";

export interface ClusterAccess {
  /** Such as "https://10.0.0.1:6443", without a slash at its end. */
  readonly server: string;
  readonly context: string;
  readonly ca?: string;
  /** The name in the server's certificate, if it is not its host. */
  readonly serverName?: string;
  readonly isUnverified: boolean;
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** The value of the header Authorization. */
  readonly authorization?: string;
  /** It is printed by a program, which nothing runs unless a person names it. */
  readonly program?: CredentialProgram;
}

/** As the kubeconfig names it; no shell looks at it. */
export interface CredentialProgram {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly apiVersion: string;
  /** What it is told of the cluster, if it wants to know. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly folder: string;
}

type Fields = Readonly<Record<string, unknown>>;

export function readKubeconfig(file: string, wanted: string | undefined): ClusterAccess {
  const config = parsed(file);
  const name = wanted ?? textOf(config["current-context"]);
  if (name === undefined) {
    throw wrong(file, `It has no current context. Say --context: ${namesIn(config, "contexts")}.`);
  }
  const context = entry(config, { file, list: "contexts", name, of: "context" });
  const cluster = entry(config, {
    file,
    list: "clusters",
    name: textOf(context["cluster"]) ?? "",
    of: "cluster",
  });
  const userName = textOf(context["user"]);
  const user =
    userName === undefined
      ? {}
      : entry(config, { file, list: "users", name: userName, of: "user" });
  const program = programOf(user, cluster, file);
  const access = {
    context: name,
    ...serverOf(cluster, file),
    ...credentialOf(user, file),
    ...(program === undefined ? {} : { program }),
  };
  const isSecret = access.authorization !== undefined || program !== undefined;
  if (!isSecret || isPrivate(access.server)) return access;
  const why = `The server ${access.server} would receive the credential of the user unencrypted.`;
  throw wrong(file, `${why} Name an https:// address, or one of this machine.`);
}

const isPrivate = (server: string): boolean => {
  const { protocol, hostname } = new URL(server);
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
};

function parsed(file: string): Fields {
  let value: unknown;
  try {
    value = parse(readInput(file));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError("invalid-yaml", firstLine(error), { file });
  }
  if (!isFields(value) || value["kind"] !== "Config") throw wrong(file, "It is not a kubeconfig.");
  return value;
}

interface Wanted {
  readonly file: string;
  readonly list: "contexts" | "clusters" | "users";
  readonly name: string;
  readonly of: "context" | "cluster" | "user";
}

function entry(config: Fields, { file, list, name, of }: Wanted): Fields {
  const found = entriesIn(config, list).find((each) => each["name"] === name)?.[of];
  if (isFields(found)) return found;
  throw wrong(file, `It has no ${of} "${name}"; it has ${namesIn(config, list)}.`);
}

const entriesIn = (config: Fields, list: string): readonly Fields[] => {
  const all = config[list];
  return Array.isArray(all) ? all.filter(isFields) : [];
};

const namesIn = (config: Fields, list: string): string =>
  entriesIn(config, list)
    .map((each) => String(each["name"]))
    .join(", ") || "none";

function serverOf(cluster: Fields, file: string) {
  const server = textOf(cluster["server"]) ?? "";
  if (!/^https?:\/\//.test(server) || !URL.canParse(server))
    throw wrong(file, `The server "${server}" is not an address.`);
  if (cluster["proxy-url"] !== undefined) {
    throw wrong(file, `The cluster has a proxy-url, which is not supported. ${REMEDY}`);
  }
  const serverName = textOf(cluster["tls-server-name"]);
  const ca = contentOf(cluster, "certificate-authority", file);
  return {
    server: server.replace(/\/+$/, ""),
    isUnverified: cluster["insecure-skip-tls-verify"] === true,
    ...(ca === undefined ? {} : { ca }),
    ...(serverName === undefined ? {} : { serverName }),
  };
}

const REMEDY =
  "Run kubectl proxy and name its address as the server, or import a dump of kubectl get -o json.";

const UNSUPPORTED = ["auth-provider", "as", "as-groups", "as-uid", "as-user-extra"];

function credentialOf(user: Fields, file: string) {
  const foreign = UNSUPPORTED.find((field) => user[field] !== undefined);
  if (foreign !== undefined) {
    throw wrong(file, `The user has "${foreign}", which is not supported. ${REMEDY}`);
  }
  const clientCert = contentOf(user, "client-certificate", file);
  const clientKey = contentOf(user, "client-key", file);
  const authorization = authorizationOf(user, file);
  return {
    ...(clientCert === undefined ? {} : { clientCert }),
    ...(clientKey === undefined ? {} : { clientKey }),
    ...(authorization === undefined ? {} : { authorization }),
  };
}

const EXEC_VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];

function programOf(user: Fields, cluster: Fields, file: string): CredentialProgram | undefined {
  const exec = user["exec"];
  if (exec === undefined) return undefined;
  const { args = [], env = [], ...rest } = isFields(exec) ? exec : {};
  const command = textOf(rest["command"]);
  const apiVersion = textOf(rest["apiVersion"]) ?? "none";
  if (command === undefined) throw wrong(file, "The user has an exec without a command.");
  if (!EXEC_VERSIONS.includes(apiVersion)) {
    const expected = EXEC_VERSIONS.join(" or ");
    throw wrong(file, `The user has an exec of apiVersion ${apiVersion}; expected ${expected}.`);
  }
  if (rest["interactiveMode"] === "Always") {
    throw wrong(file, `The program ${command} asks a person, which an import cannot do. ${REMEDY}`);
  }
  // kubectl runs names with a slash from the folder of the file.
  const folder = dirname(resolve(file));
  return {
    command: command.includes("/") ? resolve(folder, command) : command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: Object.fromEntries(
      (Array.isArray(env) ? env.filter(isFields) : []).map((each) => [
        String(each["name"]),
        String(each["value"]),
      ]),
    ),
    apiVersion,
    folder,
    ...(rest["provideClusterInfo"] === true ? { cluster } : {}),
  };
}

function authorizationOf(user: Fields, file: string): string | undefined {
  const tokenFile = textOf(user["tokenFile"]);
  const token = tokenFile === undefined ? textOf(user["token"]) : textIn(tokenFile, file).trim();
  if (token !== undefined) return `Bearer ${token}`;
  const username = textOf(user["username"]);
  if (username === undefined) return undefined;
  const pair = `${username}:${textOf(user["password"]) ?? ""}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

/** `name-data` has it in base64 and goes first, as in kubectl; `name` is a file beside it. */
function contentOf(fields: Fields, name: string, file: string): string | undefined {
  const inline = textOf(fields[`${name}-data`]);
  if (inline !== undefined) return Buffer.from(inline, "base64").toString("utf8");
  const path = textOf(fields[name]);
  return path === undefined ? undefined : textIn(path, file);
}

function textIn(path: string, file: string): string {
  const from = resolve(dirname(file), path);
  try {
    return readFileSync(from, "utf8");
  } catch (error) {
    throw new UserError("unreadable-file", `${firstLine(error)}.`, { file: from });
  }
}

const wrong = (file: string, why: string): UserError =>
  new UserError("invalid-file", why, { file });

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
