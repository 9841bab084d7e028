/** Text of others inside HTML or XML, in an element or in an attribute with double quotes. */
import { shown } from "./shown-text.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const markupText = (text: string): string => escaped(shown(text));

/** For text that is already safe to see, such as whole lines of it. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? letter);
