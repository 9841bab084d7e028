/** Where the dashboard begins. */
import { render } from "preact";
import { startClock } from "../live/clock.ts";
import { startKeys } from "./keys.ts";
import { startRouter } from "./router.ts";
import { Shell } from "./shell.tsx";
import { startTenantScope } from "./tenant-scope.ts";
import { startTheme } from "./theme.ts";
import "./theme.css";
import "./shell.css";
import "../parts/parts.css";

const root = document.querySelector("#app");
if (root === null) throw new Error("index.html has no #app to draw in.");
startTheme();
startClock();
startRouter();
startKeys();
startTenantScope();
render(<Shell />, root);
