/** Builds the dashboard once, before the tests that look at it: what they see is what the sources say now. */
import { buildWeb } from "../../scripts/build-web.mjs";
import { BUILT } from "./built.ts";

export async function setup(): Promise<void> {
  await buildWeb(BUILT);
}
