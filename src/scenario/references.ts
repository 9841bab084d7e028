/**
 * Who is named in a world and who is referred to. References are checked once everything is read,
 * because a timeline may speak of a node that a later entry adds.
 */
import type { Cursor } from "./cursor.ts";
import { didYouMean } from "../spelling/nearest.ts";

/**
 * A zone is `region/zone`; a placement names it without its region, and means it wherever it is.
 */
export type Named = "region" | "zone" | "zone in any region" | "node" | "tenant" | "workload";

/** As Kubernetes names them; a slash would make object keys ambiguous. */
const NAME = /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/;

export function readName(cursor: Cursor): string {
  const name = cursor.text("a name");
  if (name !== "" && !NAME.test(name)) {
    cursor.expected(
      "a name of lower-case letters, digits, '-' and '.' that begins and ends with a letter or digit",
    );
  } else if (name === "" && cursor.scalar() === "") {
    cursor.expected("a name");
  }
  return name;
}

export class References {
  readonly #declared = new Map<Named, Set<string>>();
  readonly #checks: (() => void)[] = [];

  /** Notes a mistake at `cursor` when the name is taken. */
  declare(kind: Named, name: string, cursor: Cursor): void {
    const taken = name !== "" && this.#declared.get(kind)?.has(name) === true;
    if (taken) cursor.fail(`duplicate ${kind} "${name}"; names must be unique.`);
    this.mention(kind, name);
  }

  /** Declares a name that may be there more than once. */
  mention(kind: Named, name: string): void {
    const names = this.#declared.get(kind) ?? new Set();
    this.#declared.set(kind, names.add(name));
  }

  /** Notes a mistake at `cursor`, in `check`, unless the name was declared somewhere. */
  refer(kind: Named, name: string, cursor: Cursor): void {
    if (name === "") return;
    this.#checks.push(() => {
      const names = [...(this.#declared.get(kind) ?? [])];
      if (names.includes(name)) return;
      const known = names.length === 0 ? "none is defined" : `known: ${shortList(names)}`;
      cursor.fail(`unknown ${kind} "${name}"; ${known}.${didYouMean(name, names)}`);
    });
  }

  check(): void {
    for (const check of this.#checks) check();
  }
}

/** Ten names are enough to recognise the right one; a pool may have hundreds. */
function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(", ");
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
