// Reads the monitoring pages of the broker that serves this page, and shows them.
import { byId, bytes, count, fill, read, tell } from "./elements.js";
import { forgetBuckets, prepareBuckets, showBuckets } from "./buckets.js";
import { prepareConnections, showConnections } from "./connections.js";
import { prepareDeadLetters, showDeadLetters } from "./deadletters.js";
import { prepareMessages } from "./messages.js";
import { rates, showOverview } from "./overview.js";
import { forgetRoutes, showRoutes } from "./routes.js";
import { forgetServices, showServices } from "./services.js";
import { offer, prepare } from "./session.js";
import { showStreams } from "./streams.js";

const EVERY_MS = 2000;
const PAGE_ROWS = 200;
const views = ["overview", "connections", "subscriptions", "streams", "buckets", "services", "routes", "dead-letters", "accounts"];

// Subscriptions
const subscriptionColumns = [
  ["Subject", (row) => row.subject, (row) => row.subject],
  ["Queue group", (row) => row.qgroup ?? "", (row) => row.qgroup ?? ""],
  ["Account", (row) => row.account ?? "", (row) => row.account ?? ""],
  ["Connection", (row) => row.cid, (row) => String(row.cid), true],
  ["Messages", (row) => row.msgs, (row) => count(row.msgs), true],
];

async function showSubscriptions() {
  const subject = byId("subscription-subject").value.trim();
  const page = await read(`subsz?subs=1&limit=${PAGE_ROWS}${subject ? `&test=${encodeURIComponent(subject)}` : ""}`);
  const rows = page.subscriptions_list ?? [];
  fill(byId("subscription-table"), subscriptionColumns, rows, (row) => `${row.cid} ${row.sid}`, { again: refresh });
  byId("subscriptions-shown").textContent = `${rows.length} of ${page.total}, ${count(page.num_subscriptions)} in total.`;
}

// Accounts
const accountColumns = [
  ["Account", (row) => row.acc, (row) => (row.name && row.name !== row.acc ? `${row.name} (${row.acc})` : row.acc)],
  ["Connections", (row) => row.conns, (row) => count(row.conns), true],
  ["Leaf nodes", (row) => row.leafnodes, (row) => count(row.leafnodes), true],
  ["Subscriptions", (row) => row.num_subscriptions, (row) => count(row.num_subscriptions), true],
  ["Messages in", (row) => row.received.msgs, (row) => count(row.received.msgs), true],
  ["Bytes in", (row) => row.received.bytes, (row) => bytes(row.received.bytes), true],
  ["Messages out", (row) => row.sent.msgs, (row) => count(row.sent.msgs), true],
  ["Bytes out", (row) => row.sent.bytes, (row) => bytes(row.sent.bytes), true],
  ["Slow consumers", (row) => row.slow_consumers, (row) => count(row.slow_consumers), true],
];

async function showAccounts() {
  const page = await read("accstatz?unused=1");
  fill(byId("account-table"), accountColumns, page.account_statz, (row) => row.acc, { again: refresh });
}

// The view named by the address
const current = () => (views.includes(location.hash.slice(1)) ? location.hash.slice(1) : "overview");

function turn() {
  const view = current();
  for (const name of views) byId(`view-${name}`).hidden = name !== view;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === `#${view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `Postrider · ${view.replace("-", " ")}`;
  tell("");
  scrollTo(0, 0);
  refresh();
}

let isReading = false;
let isWanted = false;
async function refresh() {
  if (isReading) {
    isWanted = true;
    return;
  }
  isReading = true;
  try {
    do {
      isWanted = false;
      const varz = await read("varz");
      byId("server").textContent = varz.server_name === varz.server_id ? `${varz.host}:${varz.port}` : `${varz.server_name} (${varz.host}:${varz.port})`;
      byId("version").textContent = `Postrider ${varz.postrider_version}, as nats-server ${varz.version}`;
      const now = rates(varz);
      await offer(varz.server_id);
      const view = {
        overview: () => showOverview(varz, now),
        connections: () => showConnections(varz),
        subscriptions: showSubscriptions,
        streams: () => showStreams(refresh),
        buckets: () => showBuckets(refresh),
        services: () => showServices(refresh),
        routes: () => showRoutes(refresh),
        "dead-letters": showDeadLetters,
        accounts: showAccounts,
      };
      await view[current()]();
      byId("trouble").hidden = true;
    } while (isWanted);
  } catch (failure) {
    byId("trouble").textContent = `The broker does not respond (${failure.message}). The page shows the last known values and continues to try.`;
    byId("trouble").hidden = false;
  } finally {
    isReading = false;
  }
}

prepare(() => {
  forgetBuckets();
  forgetServices();
  forgetRoutes();
  refresh();
});
prepareMessages();
prepareBuckets();
prepareDeadLetters();
prepareConnections(refresh);
for (const id of ["stream-filter", "subscription-subject"]) byId(id).addEventListener("input", refresh);
addEventListener("hashchange", turn);
addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh();
});
setInterval(() => {
  if (!document.hidden) refresh();
}, EVERY_MS);
turn();
