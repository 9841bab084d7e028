/** Where the page that is one file begins: it reads the document that it carries and shows it. */
import { render } from "preact";
import { startKeys } from "../app/keys.ts";
import { startTheme } from "../app/theme.ts";
import { IncidentFile } from "./incident-file.tsx";
import { readIncident } from "./reading/read-incident.ts";
import "../app/theme.css";
import "../app/shell.css";
import "../parts/parts.css";

const root = document.querySelector("#app");
if (root === null) throw new Error("incident.html has no #app to draw in.");
startTheme();
startKeys();
const carried = document.querySelector("#incident")?.textContent ?? "";
render(<IncidentFile reading={readIncident(carried)} />, root);
