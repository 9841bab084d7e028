/**
 * A map while it is read: the last of equal keys counts, and the line of each further one is noted.
 */
import type { YamlCursor } from "./yaml-cursor.ts";
import type { YamlScalar } from "./yaml-scalar.ts";

export interface YamlMap {
  readonly value: Readonly<Record<string, unknown>>;
  readonly set: (key: YamlScalar, value: unknown, line: number) => void;
}

export function newMap(cursor: YamlCursor, duplicates: string[]): YamlMap {
  const value: Record<string, unknown> = {};
  return {
    value,
    set: (key, each, line) => {
      const name = key === null ? "" : String(key);
      if (name.length > cursor.bounds.nameBytes) {
        throw cursor.wrong(`a key is longer than ${cursor.bounds.nameBytes} characters`);
      }
      if (name === "__proto__") throw cursor.wrong("the field name __proto__ is not allowed");
      if (name === "<<") throw cursor.wrong("merge keys are not supported: write the fields out");
      if (Object.hasOwn(value, name)) duplicates.push(`line ${line}`);
      value[name] = each;
    },
  };
}
