/** Where the dashboard is built for tests: apart from dist, which may be older. */
import { fileURLToPath } from "node:url";

export const BUILT = fileURLToPath(new URL("../../.tsbuild/dashboard", import.meta.url));
