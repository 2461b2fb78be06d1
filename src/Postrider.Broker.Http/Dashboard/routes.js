// Where the messages of applications go, and why: those that call AddHandlerService with their route table.
import { byId, clear, fill } from "./elements.js";
import { session } from "./session.js";

const ASKED_EVERY = 5;
const HERE = "this process";
let round = 0;

const columns = [
  ["Message", (row) => row.message, (row) => row.message],
  ["Kind", (row) => row.kind, (row) => row.kind],
  ["Destination", (row) => row.destination || HERE, (row) => row.destination || HERE],
  ["Transport", (row) => row.transport, (row) => row.transport],
  ["Handlers and routes", (row) => row.handlers.join(", "), (row) => row.handlers.join(", ")],
  ["Why", (row) => row.why, (row) => row.why],
  ["Application", (row) => row.application, (row) => row.application],
];

export async function showRoutes(again) {
  byId("routes-sign-in").hidden = Boolean(session);
  byId("routes").hidden = !session;
  if (!session || round++ % ASKED_EVERY !== 0) return;
  const answers = await session.connection.gather("postrider.handlers");
  const rows = answers.flatMap((application) => (application.messages ?? []).filter((message) => message.why).map((message) => ({ ...message, application: application.application })));
  byId("no-routes").hidden = rows.length > 0;
  fill(byId("route-table"), columns, rows, (row) => `${row.application} ${row.message}`, {
    // A click on a heading reads the rows again and sorts them.
    again: () => {
      round = 0;
      again();
    },
    decorate: (line) => line.cells[5].classList.add("sentence"),
  });
}

export function forgetRoutes() {
  round = 0;
  clear(byId("route-table"));
}
