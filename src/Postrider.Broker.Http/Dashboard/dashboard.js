// Shows the monitoring pages of the broker that serves this page.
import { byId, bytes, count, fill, tell } from "./elements.js";
import { forgetBuckets, prepareBuckets, showBuckets } from "./buckets.js";
import { prepareConnections, showConnections } from "./connections.js";
import { forgetDeadLetters, prepareDeadLetters, showDeadLetters } from "./deadletters.js";
import { begin, follow, isLive, leave, prepareLive, read } from "./live.js";
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

// Other servers of a cluster have connections and subscriptions of their own.
function tellServer(varz) {
  const others = varz.routes ?? 0;
  byId("one-server").hidden = others === 0;
  byId("one-server").textContent = `Connections, subscriptions, accounts and rates are those of this server, ${varz.server_name}. The other servers of the cluster${varz.cluster?.name ? ` ${varz.cluster.name}` : ""} have pages of their own.`;
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

let isShowing = false;
let next = null;
const refresh = () => show(false);

// `pushed` is whether the broker's last event is shown, or the pages are asked for: after an action, and while there are no events.
async function show(pushed) {
  if (isShowing) {
    next = next === null ? pushed : next && pushed;
    return;
  }
  isShowing = true;
  next = pushed;
  try {
    do {
      begin(next);
      next = null;
      const varz = await read("varz");
      byId("server").textContent = varz.server_name === varz.server_id ? `${varz.host}:${varz.port}` : `${varz.server_name} (${varz.host}:${varz.port})`;
      tellServer(varz);
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
      follow();
    } while (next !== null);
  } catch (failure) {
    byId("trouble").textContent = `The broker does not respond (${failure.message}). The page shows the last known values and continues to try.`;
    byId("trouble").hidden = false;
  } finally {
    isShowing = false;
    byId("updates").textContent = isLive() ? "updates are pushed" : `updates are polled every ${EVERY_MS / 1000} s`;
  }
}

prepare(() => {
  forgetBuckets();
  forgetServices();
  forgetRoutes();
  forgetDeadLetters();
  refresh();
});
prepareMessages();
prepareBuckets();
prepareDeadLetters();
prepareConnections(refresh);
for (const id of ["stream-filter", "subscription-subject"]) byId(id).addEventListener("input", refresh);
addEventListener("hashchange", turn);
addEventListener("visibilitychange", () => {
  if (document.hidden) leave();
  else refresh();
});
prepareLive(() => {
  if (!document.hidden) show(isLive());
});
setInterval(() => {
  if (!document.hidden && !isLive()) refresh();
}, EVERY_MS);
turn();
