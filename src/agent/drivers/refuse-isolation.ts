/** What a plain process cannot be given: it would run without, and its template counts on it. */
import type { Order } from "./driver.ts";
import { refuseImage } from "./refuse-image.ts";

export function refuseIsolation({ run, disk }: Order): void {
  refuseImage(run);
  const { network = "node" } = run;
  if (network === "node" && disk === undefined) return;
  const what = disk === undefined ? `the network ${network}` : `a disk of ${disk}`;
  throw new Error(`Its template asks for ${what}, which only the drivers sandbox and image give.`);
}
