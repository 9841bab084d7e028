/**
 * Where an etcd is, as people write it:
 * `etcd://user:password@host:port,host:port/prefix?ca=FILE&cert=FILE&key=FILE`, with `etcds` for
 * TLS. No message shows what was given, except names of options and files: anything else may be a
 * password that slipped.
 */
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";

/**
 * PEM texts, and the name that the members' certificates carry when it is not the host they are
 * reached by.
 */
export interface EtcdTls {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly serverName?: string;
}

export interface EtcdUser {
  readonly name: string;
  readonly password: string;
}

export interface EtcdAddress {
  /** `host:port`. */
  readonly endpoints: readonly string[];
  /** Begins and ends with a slash. */
  readonly prefix: string;
  readonly tls?: EtcdTls;
  /** As the files are now, for a new connection: certificates are replaced while a plane runs. */
  readonly readTls?: () => EtcdTls;
  readonly user?: EtcdUser;
}

export class EtcdAddressError extends Error {
  override readonly name = "EtcdAddressError";

  constructor(what: string) {
    super(
      `Cannot read the address of etcd: ${what}. It has the form ` +
        "etcd://host:port,host:port/prefix, with etcds:// for TLS, user:password@ before the hosts, and " +
        "?ca=FILE&cert=FILE&key=FILE&server-name=NAME after the prefix where they are needed.",
    );
  }
}

/** The port that etcd has been given by IANA. */
const DEFAULT_PORT = 2379;
const DEFAULT_PREFIX = "/berth/";
/**
 * An @ after the hosts is refused, because then it was a password that held a slash or a question
 * mark.
 */
const FORM = /^(etcds?):\/\/(?:([^@/?#]*)@)?([^@/?#]*)(\/[^@?#]*)?(?:\?([^@#]*))?$/;

/** Throws EtcdAddressError. */
export function parseEtcdAddress(text: string): EtcdAddress {
  const match = FORM.exec(text);
  if (match === null) throw new EtcdAddressError(wrongForm(text));
  const [, scheme, login, hosts = "", path = "", query = ""] = match;
  const options = new URLSearchParams(query);
  const tls = parseTls(options, scheme === "etcds");
  const user = login === undefined ? undefined : parseUser(login);
  return {
    endpoints: hosts.split(",").map((host, at) => parseEndpoint(host, `host ${at + 1}`)),
    prefix: parsePrefix(path),
    ...(tls === undefined ? {} : { tls, readTls: readingAgain(tls, () => readTls(options)) }),
    ...(user === undefined ? {} : { user }),
  };
}

function wrongForm(text: string): string {
  if (!/^etcds?:\/\//.test(text)) return "it does not begin with etcd:// or etcds://";
  if (text.includes("#")) return "it has a #; write %23 for it in a user's name or password";
  if (text.split("@").length > 2) return "it has more than one @; write %40 in a password";
  return "an @ stands after a / or ?; write %2F, %3F and %40 for these in a name, a password or a file";
}

const ENDPOINT = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(\d+))?$/;
const HIGHEST_PORT = 65_535;

function parseEndpoint(text: string, which: string): string {
  if (text === "") throw new EtcdAddressError(`${which} is empty`);
  const [, host, port = String(DEFAULT_PORT)] = ENDPOINT.exec(text) ?? [];
  if (host === undefined) throw new EtcdAddressError(`${which} is not host:port`);
  if (Number(port) < 1 || Number(port) > HIGHEST_PORT) {
    throw new EtcdAddressError(`the port of ${which} is not between 1 and ${HIGHEST_PORT}`);
  }
  return `${host}:${Number(port)}`;
}

function parsePrefix(path: string): string {
  if (path === "" || path === "/") return DEFAULT_PREFIX;
  const prefix = decode(path, "the prefix");
  return prefix.endsWith("/") ? prefix : `${prefix}/`;
}

function parseUser(login: string): EtcdUser {
  const [name = "", ...rest] = login.split(":");
  if (name === "") throw new EtcdAddressError("the user's name before @ is empty");
  if (rest.length !== 1) {
    throw new EtcdAddressError(
      "before @ there must be user:password; write %3A for a further colon",
    );
  }
  const password = decode(rest[0] ?? "", "the password");
  if (password === "") throw new EtcdAddressError("the password before @ is empty");
  return { name: decode(name, "the user's name"), password };
}

function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new EtcdAddressError(`${what} has an invalid % escape; write %25 for a percent sign`);
  }
}

const OPTIONS = ["ca", "cert", "key", "server-name"];

function parseTls(options: URLSearchParams, isSecure: boolean): EtcdTls | undefined {
  for (const name of options.keys()) {
    if (!OPTIONS.includes(name)) {
      throw new EtcdAddressError(`there is no option "${name}"; there are ${OPTIONS.join(", ")}`);
    }
    if (!isSecure) throw new EtcdAddressError(`the option ${name} is for etcds://, not etcd://`);
    if (options.getAll(name).length > 1) {
      throw new EtcdAddressError(`the option ${name} is given more than once`);
    }
    if (options.get(name) === "") throw new EtcdAddressError(`the option ${name} is empty`);
  }
  if (!isSecure) return undefined;
  if (options.has("cert") !== options.has("key")) {
    throw new EtcdAddressError("a certificate needs its key: give both cert and key, or neither");
  }
  return readTls(options);
}

/** What is half-written or gone changes nothing: those read before may still be good. */
function readingAgain(first: EtcdTls, read: () => EtcdTls): () => EtcdTls {
  let last = first;
  return () => {
    try {
      const next = read();
      const { ca, cert, key } = next;
      createSecureContext({ ca, cert, key });
      last = next;
    } catch {
      // Said by the connection, if it fails for it.
    }
    return last;
  };
}

function readTls(options: URLSearchParams): EtcdTls {
  const serverName = options.get("server-name");
  return {
    ...readPem(options, "ca"),
    ...readPem(options, "cert"),
    ...readPem(options, "key"),
    ...(serverName === null ? {} : { serverName }),
  };
}

function readPem(options: URLSearchParams, name: "ca" | "cert" | "key"): EtcdTls {
  const file = options.get(name);
  if (file === null) return {};
  try {
    return { [name]: readFileSync(file, "utf8") };
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    throw new EtcdAddressError(`the file ${file} of the option ${name} cannot be read (${code})`);
  }
}
