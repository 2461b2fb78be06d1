// Services of the account that is signed in (NATS ADR-32), and the handlers of applications that call AddHandlerService.
import { chart, SAMPLES } from "./charts.js";
import { buttonIn, byId, clear, count, fill, number } from "./elements.js";
import { session } from "./session.js";

const HANDLERS_EVERY = 5;
const time = (milliseconds) => (milliseconds >= 1000 ? `${number.format(milliseconds / 1000)} s` : milliseconds >= 1 ? `${number.format(milliseconds)} ms` : `${number.format(milliseconds * 1000)} µs`);
const histories = new Map();
let chosen = null;
let round = 0;

const columns = [
  ["Endpoint", (row) => row.subject, (row) => row.subject],
  ["Service", (row) => row.service, (row) => `${row.service} ${row.version}`],
  ["Instance", (row) => row.instance, (row) => row.instance],
  ["Requests", (row) => row.requests, (row) => count(row.requests), true],
  ["Errors", (row) => row.errors, (row) => count(row.errors), true],
  ["Average", (row) => row.average, (row) => time(row.average), true],
  ["Last error", (row) => row.lastError, (row) => row.lastError],
];
const handlerColumns = [
  ["Message", (row) => row.message, (row) => row.message],
  ["Kind", (row) => row.kind, (row) => row.kind],
  ["Response", (row) => row.response ?? "", (row) => row.response ?? ""],
  ["Handlers and routes", (row) => row.handlers.join(", "), (row) => row.handlers.join(", ")],
  ["Middleware", (row) => row.middleware.join(", "), (row) => row.middleware.join(", ")],
  ["Lifetime", (row) => row.lifetime, (row) => row.lifetime],
  ["Application", (row) => row.application, (row) => row.application],
];
const keyOf = (row) => `${row.instance} ${row.subject}`;

export async function showServices(again) {
  byId("services-sign-in").hidden = Boolean(session);
  byId("services").hidden = !session;
  if (!session) return;
  const connection = session.connection;
  const answers = await connection.gather("$SRV.STATS");
  const rows = answers.flatMap((service) => (service.endpoints ?? []).map((endpoint) => ({
    service: service.name,
    version: service.version,
    instance: service.id,
    subject: endpoint.subject,
    requests: endpoint.num_requests ?? 0,
    errors: endpoint.num_errors ?? 0,
    average: (endpoint.average_processing_time ?? 0) / 1e6,
    total: (endpoint.processing_time ?? 0) / 1e6,
    lastError: endpoint.last_error ?? "",
  })));
  for (const row of rows) sample(row);
  for (const key of [...histories.keys()]) if (!rows.some((row) => keyOf(row) === key)) histories.delete(key);
  byId("no-services").hidden = rows.length > 0;
  fill(byId("service-table"), columns, rows, keyOf, {
    again,
    decorate: (line, row) => {
      const isChosen = chosen === keyOf(row);
      line.className = isChosen ? "chosen" : "";
      buttonIn(line.cells[0], row.subject, () => {
        chosen = isChosen ? null : keyOf(row);
        again();
      }).setAttribute("aria-expanded", String(isChosen));
    },
  });
  showLatency(rows.find((row) => keyOf(row) === chosen));
  if (round++ % HANDLERS_EVERY === 0) await showHandlers(connection, again);
}

// The average of the requests between two readings.
function sample(row) {
  const key = keyOf(row);
  const history = histories.get(key) ?? [];
  histories.set(key, history);
  const last = history.at(-1);
  const requests = last ? row.requests - last.requests : 0;
  history.push({ requests: row.requests, total: row.total, answered: Math.max(0, requests), latency: requests > 0 ? (row.total - last.total) / requests : null });
  if (history.length > SAMPLES) history.shift();
}

function showLatency(row) {
  const figures = byId("service-charts");
  if (!row) {
    figures.replaceChildren();
    return;
  }
  const history = histories.get(keyOf(row));
  figures.replaceChildren(
    chart(`Processing time on ${row.subject}`, time, history, ["latency", "average", "in"]),
    chart("Requests between two readings", count, history, ["answered", "now", "out"]),
  );
}

async function showHandlers(connection, again) {
  const answers = await connection.gather("postrider.handlers");
  const rows = answers.flatMap((application) => (application.messages ?? []).map((message) => ({ ...message, application: application.application })));
  byId("no-handlers").hidden = rows.length > 0;
  fill(byId("handler-table"), handlerColumns, rows, (row) => `${row.application} ${row.message}`, { again });
}

export function forgetServices() {
  round = 0;
  chosen = null;
  histories.clear();
  clear(byId("service-table"));
  clear(byId("handler-table"));
}
