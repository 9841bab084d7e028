/**
 * In whose name the reader acts. A token has a name of its own; on the plane's own machine everybody may everything, and says
 * whose name is to stand in the log. What was said last is kept in the browser.
 */
import { notify } from "../app/notices.ts";
import { getJson } from "../live/api.ts";
import { failureOf } from "../live/api-failure.ts";

export interface Acting {
  readonly name: string;
  /** The plane knows nobody by name: whoever reads says it. */
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
  isLocal ? { "Impersonate-User": name } : {};

/** Nothing can be asked in nobody's name. */
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
