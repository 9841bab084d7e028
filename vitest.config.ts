import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    pool: "threads",
    // A property or a simulation may run thousands of cases, and a shared runner may be several times slower
    // than a desk machine: the limit is there to end a hang, never to measure speed.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
});
