/** What a shim and a probe are given of the agent's own environment. */

/** The rest of it is the agent's own, and may hold secrets such as its token. */
const PASSED_ON = ["PATH", "LANG", "LC_ALL", "TZ"];

export function passedOn(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
