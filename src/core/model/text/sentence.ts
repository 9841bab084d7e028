/** Words of an agent that are kept for people: text, and not too much of it. */

/** Longer is no sentence, and every replica of a node may bring one. */
const SENTENCE_CHARACTERS = 500;

/**
 * Cut where the agent says it and again where the authority keeps it; undefined for what is no
 * text.
 */
export function sentence(text: unknown): string | undefined {
  if (typeof text !== "string" || text === "") return undefined;
  return text.slice(0, SENTENCE_CHARACTERS);
}
