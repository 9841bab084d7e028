/**
 * The surroundings of a process, as a shell script that its launch and its exec probes read. A
 * script and not the shim's own environment: the shim may be root, and a variable such as
 * LD_PRELOAD must not reach it.
 */
import { parseKey, type ObjectKey } from "../../core/model/ids.ts";

export interface Surroundings {
  readonly replica: ObjectKey;
  readonly node: string;
  readonly workload: string;
  readonly index: number;
  readonly deviceClass: string;
  readonly deviceIds: readonly string[];
  readonly ports: Readonly<Record<string, number>>;
  readonly env: Readonly<Record<string, string>>;
  readonly workingDir: string;
  /** Where its private files are; left out: it has none. */
  readonly filesDir?: string;
  /** Variables whose values are in a private file; left out: none. */
  readonly hasSecretEnv?: boolean;
}

/** Among the private files; no template can name one of its own so. */
export const ENVIRONMENT_FILE = "__berth-environment.sh";

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Where /bin/sh is bash, these cannot be set. */
const SHELLS_OWN = /^(?:UID|EUID|PPID|SHELLOPTS|BASH\w*)$/;

const isExportable = (name: string): boolean => IDENTIFIER.test(name) && !SHELLS_OWN.test(name);

export function environmentScript(of: Surroundings): string {
  const variables = Object.entries(environmentOf(of));
  const exports = variables
    .filter(([name]) => isExportable(name))
    .map(([name, value]) => `export ${name}=${quoted(value)}`);
  // A shell cannot export a name such as "app.mode"; env(1) can.
  const others = variables
    .filter(([name]) => !isExportable(name))
    .map(([name, value]) => quoted(`${name}=${value}`));
  const lines = [`cd ${quoted(of.workingDir)} || exit 126`, ...exports];
  // Beside this script their values would be on a disk.
  if (of.hasSecretEnv === true) lines.push(`. ${quoted(`${of.filesDir}/${ENVIRONMENT_FILE}`)}`);
  if (others.length > 0) lines.push(`set -- env ${others.join(" ")} "$@"`);
  return `${lines.join("\n")}\n`;
}

/** All of it; a value of the template may name other variables. */
export function environmentOf(of: Surroundings): Readonly<Record<string, string>> {
  const own = variablesOf(of);
  const known = { ...of.env, ...own };
  const env = Object.entries(of.env).map(([name, value]) => [name, withVariables(value, known)]);
  return { HOME: of.workingDir, ...onlyPort(of), ...Object.fromEntries(env), ...own };
}

/** What programs look for that know one port; a template may say otherwise. */
function onlyPort({ ports }: Surroundings): Record<string, string> {
  const [number, ...others] = Object.values(ports);
  return number === undefined || others.length > 0 ? {} : { PORT: String(number) };
}

/**
 * As Kubernetes does it: `$(NAME)` is the value of the variable, a name that there is not stays as
 * it is, and `$$(NAME)` is the text `$(NAME)`. A value that comes in is not looked through again.
 * `$$` alone stays: in a script it is the number of the process.
 */
export const withVariables = (text: string, known: Readonly<Record<string, string>>): string =>
  text.replaceAll(/(\$?)\$\(([^()\s]+)\)/g, (whole: string, escape: string, name: string) => {
    if (escape !== "") return whole.slice(escape.length);
    return Object.hasOwn(known, name) ? (known[name] ?? whole) : whole;
  });

/** What Berth tells a process; a template cannot say otherwise. */
function variablesOf(of: Surroundings): Record<string, string> {
  const { namespace, name } = parseKey(of.replica);
  return {
    BERTH_REPLICA: `${namespace}/${name}`,
    BERTH_WORKLOAD: `${namespace}/${of.workload}`,
    BERTH_NAMESPACE: namespace,
    BERTH_INDEX: String(of.index),
    // The name of the builds before; programs read it.
    BERTH_SLOT: String(of.index),
    BERTH_NODE: of.node,
    BERTH_DEVICES: of.deviceIds.join(","),
    ...(of.filesDir === undefined ? {} : { BERTH_FILES: of.filesDir }),
    ...devicesByClass(of),
    ...Object.fromEntries(
      Object.entries(of.ports).map(([port, number]) => [portVariable(port), String(number)]),
    ),
  };
}

/** Programs that know one class of devices look for theirs alone; a node has units of one class. */
function devicesByClass({ deviceClass, deviceIds }: Surroundings): Record<string, string> {
  if (deviceClass === "" || deviceIds.length === 0) return {};
  return { [`BERTH_DEVICES_${upperCased(deviceClass)}`]: deviceIds.join(",") };
}

/** `http-admin` becomes `PORT_HTTP_ADMIN`. */
export const portVariable = (port: string): string => `PORT_${upperCased(port)}`;

const upperCased = (name: string): string => name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_");

/** Nothing is special between single quotes but the quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A script that sets these variables, whatever bytes their values have but NUL. */
export const exportsOf = (variables: readonly (readonly [string, Buffer])[]): Buffer =>
  Buffer.concat(
    variables.flatMap(([name, value]) => [
      Buffer.from(`export ${name}='`),
      Buffer.from(value.toString("latin1").replaceAll("'", `'\\''`), "latin1"),
      Buffer.from("'\n"),
    ]),
  );
