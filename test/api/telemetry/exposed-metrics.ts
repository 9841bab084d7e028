/** Prometheus text, read as a scraper reads it. */
export interface Exposed {
  readonly names: ReadonlySet<string>;
  /** By name with labels, as they stand in the text. */
  readonly samples: ReadonlyMap<string, number>;
}

export function readExposed(text: string): Exposed {
  const names = new Set<string>();
  const samples = new Map<string, number>();
  for (const line of text.split("\n")) {
    const type = /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line)?.[1];
    if (type !== undefined) {
      if (names.has(type)) throw new Error(`${type} is exposed twice.`);
      names.add(type);
    }
    if (line === "" || line.startsWith("#")) continue;
    const found = /^([a-z_]+(?:\{(?:[a-z_]+="(?:[^"\\\n]|\\.)*",?)*\})?) (\S+)$/.exec(line);
    if (found?.[1] === undefined) throw new Error(`No sample: ${line}`);
    if (samples.has(found[1])) throw new Error(`${found[1]} is exposed twice.`);
    samples.set(found[1], Number(found[2]));
  }
  return { names, samples };
}
