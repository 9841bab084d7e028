/**
 * Values of secrets between their arrival and the start of the process that needs them (SE12). They
 * are in the memory of the agent and nowhere else of it: a start takes them out, as private files
 * in memory. An agent that comes back asks for them again.
 */
import type { SecretRefs } from "../core/model/secret/secret-refs.ts";
import { secretText } from "../core/model/secret/secret-refs.ts";
import type { StartOrder } from "./process/order-process.ts";
import { ENVIRONMENT_FILE, exportsOf } from "./process/process-environment.ts";
import type { PrivateFiles } from "./replica-files.ts";

/** In base64, by secret and key. */
export type GivenValues = Readonly<Record<string, Readonly<Record<string, string>>>>;

type Process = Pick<StartOrder, "replica" | "incarnation">;

/** A start follows within milliseconds; values for a start that never came are dropped. */
const KEPT_MS = 60_000;

export class SecretValues {
  private readonly given = new Map<string, { values: GivenValues; drop: NodeJS.Timeout }>();

  put(of: Process, values: GivenValues): void {
    this.take(of);
    const drop = setTimeout(() => this.given.delete(nameOf(of)), KEPT_MS).unref();
    this.given.set(nameOf(of), { values, drop });
  }

  /** What the process is to find in its private folder. Throws when it was given too little. */
  filesFor(order: StartOrder): PrivateFiles {
    const values = this.take(order);
    const { secretEnv = {}, secretFiles = {} } = order.template.run ?? {};
    const files = new Map(valuesOf(secretFiles, values));
    const variables = valuesOf(secretEnv, values);
    const [unfit] = variables.filter(([, value]) => value.includes(0));
    if (unfit !== undefined) {
      throw new Error(`The variable ${unfit[0]} would have a NUL byte: use secretFiles for it.`);
    }
    if (variables.length > 0) files.set(ENVIRONMENT_FILE, exportsOf(variables));
    return files;
  }

  close(): void {
    for (const { drop } of this.given.values()) clearTimeout(drop);
    this.given.clear();
  }

  private take(of: Process): GivenValues {
    const held = this.given.get(nameOf(of));
    if (held === undefined) return {};
    clearTimeout(held.drop);
    this.given.delete(nameOf(of));
    return held.values;
  }
}

const nameOf = ({ replica, incarnation }: Process): string => `${replica}#${incarnation}`;

const valuesOf = (refs: SecretRefs, values: GivenValues): readonly (readonly [string, Buffer])[] =>
  Object.entries(refs).map(([name, ref]) => {
    const text = values[ref.name]?.[ref.key];
    if (text === undefined) throw new Error(`Its node was not given ${secretText(ref)}.`);
    return [name, Buffer.from(text, "base64")];
  });
