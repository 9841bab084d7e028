/**
 * In whose name the reader acts. A token has a name of its own; on the plane's own machine every
 * user may do everything, and says whose name is to stand in the log. The browser remembers the
 * last name.
 */
import { notify } from "../app/notices.ts";
import { getJson } from "../live/api.ts";
import { failureOf } from "../live/api-failure.ts";

export interface Acting {
  readonly name: string;
  /** The plane has no names: the user enters one. */
  readonly isLocal: boolean;
}

const KEY = "berth-name";

export async function whoAmI(): Promise<Acting> {
  const { kind, name } = await getJson<{ readonly kind: string; readonly name: string }>("/whoami");
  if (kind !== "local") return { name, isLocal: false };
  return { name: localStorage.getItem(KEY) ?? name, isLocal: true };
}

/** The same reader under the name that was typed, which is kept for the next time. */
export function inNameOf(acting: Acting, typed: string): Acting {
  const name = typed.trim();
  if (acting.isLocal) keepName(name);
  return { ...acting, name };
}

/** A token has its name already, and may not speak in another. */
export const headersOf = ({ isLocal, name }: Acting): Readonly<Record<string, string>> =>
  isLocal ? { "Berth-As": name } : {};

/** For a write whose dialog asks for no name: the reader is the same as in all others. */
export const ownHeaders = async (): Promise<Readonly<Record<string, string>>> =>
  headersOf(await whoAmI());

/** A request needs a name. */
export async function asking(ask: (acting: Acting) => Promise<void>): Promise<void> {
  try {
    await ask(await whoAmI());
  } catch (error) {
    notify(failureOf(error).message, "bad");
  }
}

function keepName(name: string): void {
  if (name === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, name);
}
