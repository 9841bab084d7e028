/** Whether the page is as narrow as on a phone; the same bound as in the style sheets. */
import { signal } from "@preact/signals";

const query = globalThis.matchMedia("(width < 900px)");

export const isNarrow = signal(query.matches);

query.addEventListener("change", ({ matches }) => void (isNarrow.value = matches));
