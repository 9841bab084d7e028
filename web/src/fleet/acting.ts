/**
 * In whose name the reader acts. A token has a name of its own; on the plane's own machine everybody may everything, and says
 * whose name is to stand in the log. What was said last is kept in the browser.
 */
import { getJson } from "../live/api.ts";

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

export function keepName(name: string): void {
  if (name === "") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, name);
}
