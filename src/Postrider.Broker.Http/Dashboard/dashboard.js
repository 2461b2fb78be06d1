// Reads the monitoring pages of the broker that serves this page, and shows them.
import { buttonIn, byId, bytes, clear, confirmed, count, element, fill, number, read, tell } from "./elements.js";
import { forgetBuckets, prepareBuckets, showBuckets } from "./buckets.js";
import { prepareDeadLetters, showDeadLetters } from "./deadletters.js";
import { prepareMessages } from "./messages.js";
import { offer, prepare, session } from "./session.js";
import { showStreams } from "./streams.js";

const EVERY_MS = 2000;
const SAMPLES = 150;
const PAGE_ROWS = 200;
const views = ["overview", "connections", "subscriptions", "streams", "buckets", "dead-letters", "accounts"];

// Overview
const history = [];
function rates(varz) {
  const now = { at: performance.now(), varz };
  const last = history.at(-1);
  const isSame = last && last.varz.server_id === varz.server_id;
  if (last && !isSame) history.length = 0;
  const seconds = isSame ? (now.at - last.at) / 1000 : 0;
  const rate = (name) => (seconds > 0 ? Math.max(0, varz[name] - last.varz[name]) / seconds : 0);
  now.inMessages = rate("in_msgs");
  now.outMessages = rate("out_msgs");
  now.inBytes = rate("in_bytes");
  now.outBytes = rate("out_bytes");
  history.push(now);
  if (history.length > SAMPLES) history.shift();
  return now;
}

function tile(title, text, isBad = false) {
  const box = element("div");
  box.append(element("dt", title), element("dd", text, isBad ? { class: "bad" } : {}));
  return box;
}

function chart(title, format, ...lines) {
  const most = Math.max(1, ...history.flatMap((sample) => lines.map(([name]) => sample[name])));
  const figure = element("figure");
  const caption = element("figcaption", `${title}: `);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${SAMPLES - 1} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  const words = [];
  lines.forEach(([name, label, style], i) => {
    const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
    line.setAttribute("class", style);
    const from = SAMPLES - history.length;
    line.setAttribute("points", history.map((sample, at) => `${from + at},${98 - (96 * sample[name]) / most}`).join(" "));
    svg.append(line);
    const now = `${label} ${format(history.at(-1)[name])}`;
    words.push(now);
    if (i > 0) caption.append(", ");
    caption.append(element("b", now, { class: style }));
  });
  caption.append(`, at most ${format(most)}`);
  svg.setAttribute("aria-label", `${title}: ${words.join(", ")}`);
  figure.append(svg, caption);
  return figure;
}

async function showOverview(varz, now) {
  const health = await read("healthz");
  const jetStream = varz.jetstream?.stats;
  byId("tiles").replaceChildren(
    tile("Health", health.status + (health.error ? `: ${health.error}` : ""), health.status !== "ok"),
    tile("Uptime", varz.uptime),
    tile("Connections", count(varz.connections)),
    tile("Subscriptions", count(varz.subscriptions)),
    tile("Messages in", `${count(now.inMessages)}/s`),
    tile("Messages out", `${count(now.outMessages)}/s`),
    tile("CPU", `${number.format(varz.cpu)} %`),
    tile("Memory", bytes(varz.mem)),
    tile("Slow consumers", count(varz.slow_consumers), varz.slow_consumers > 0),
    ...(jetStream ? [tile("Stored", bytes(jetStream.storage)), tile("In memory streams", bytes(jetStream.memory)), tile("API errors", `${count(jetStream.api.errors)} of ${count(jetStream.api.total)}`)] : []),
  );
  byId("charts").replaceChildren(
    chart("Messages a second", count, ["inMessages", "in", "in"], ["outMessages", "out", "out"]),
    chart("Bytes a second", bytes, ["inBytes", "in", "in"], ["outBytes", "out", "out"]),
  );
}

// Connections
let offset = 0;
const connectionColumns = [
  ["Id", (row) => row.cid, (row) => String(row.cid), true],
  ["Name", (row) => row.name ?? "", (row) => row.name ?? ""],
  ["Address", (row) => row.ip, (row) => (row.port ? `${row.ip}:${row.port}` : row.ip ?? "")],
  ["Account", (row) => row.account ?? "", (row) => row.account ?? ""],
  ["User", (row) => row.authorized_user ?? "", (row) => row.authorized_user ?? ""],
  ["Client", (row) => row.lang ?? "", (row) => [row.lang, row.version].filter(Boolean).join(" ")],
  ["In", (row) => row.in_msgs, (row) => count(row.in_msgs), true],
  ["Out", (row) => row.out_msgs, (row) => count(row.out_msgs), true],
  ["Bytes in", (row) => row.in_bytes, (row) => bytes(row.in_bytes), true],
  ["Bytes out", (row) => row.out_bytes, (row) => bytes(row.out_bytes), true],
  ["Pending", (row) => row.pending_bytes, (row) => bytes(row.pending_bytes), true],
  ["Subscriptions", (row) => row.subscriptions, (row) => count(row.subscriptions), true],
  ["Uptime", (row) => Date.parse(row.start), (row) => row.uptime ?? "", true],
  ["Reason", (row) => row.reason ?? "", (row) => row.reason ?? ""],
];

// Those of the system account may close connections.
let server = null;
const kicks = () => session !== null && server !== null && session.account === server.system_account;

async function kick(row) {
  if (!(await confirmed(`Close connection ${row.cid}${row.name ? ` (${row.name})` : ""}? Most clients connect again.`))) return;
  await session.connection.call(`$SYS.REQ.SERVER.${server.server_id}.KICK`, { cid: row.cid });
  tell(`Connection ${row.cid} is closed.`);
  refresh();
}

async function showConnections() {
  const state = byId("connection-state").value;
  const page = await read(`connz?auth=1&state=${state}&limit=${PAGE_ROWS}&offset=${offset}`);
  const words = byId("connection-filter").value.trim().toLowerCase();
  const rows = page.connections.filter((row) => `${row.name ?? ""} ${row.ip}:${row.port} ${row.account ?? ""} ${row.authorized_user ?? ""}`.toLowerCase().includes(words));
  const table = byId("connection-table");
  const may = kicks() && state === "open";
  if (table.dataset.acts !== String(may)) clear(table);
  table.dataset.acts = String(may);
  fill(table, may ? [...connectionColumns, ["Close", (row) => row.cid, () => "Close"]] : connectionColumns, rows, (row) => row.cid, {
    again: refresh,
    decorate: (line, row) => may && buttonIn(line.cells[connectionColumns.length], "Close", () => kick(row)),
  });
  const first = page.total === 0 ? 0 : offset + 1;
  byId("connections-shown").textContent = `${first} to ${offset + page.connections.length} of ${page.total}` + (words ? `, ${rows.length} of them match` : "");
  byId("connections-back").disabled = offset === 0;
  byId("connections-on").disabled = offset + page.connections.length >= page.total;
}

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
  byId("subscriptions-shown").textContent = `${rows.length} of ${page.total}, ${count(page.num_subscriptions)} in all.`;
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

// The page that the address names
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
      server = varz;
      await offer(varz.server_id);
      const view = {
        overview: () => showOverview(varz, now),
        connections: showConnections,
        subscriptions: showSubscriptions,
        streams: () => showStreams(refresh),
        buckets: () => showBuckets(refresh),
        "dead-letters": showDeadLetters,
        accounts: showAccounts,
      };
      await view[current()]();
      byId("trouble").hidden = true;
    } while (isWanted);
  } catch (failure) {
    byId("trouble").textContent = `The broker does not answer (${failure.message}). What is shown is the last that it said; this page goes on asking.`;
    byId("trouble").hidden = false;
  } finally {
    isReading = false;
  }
}

prepare(() => {
  forgetBuckets();
  refresh();
});
prepareMessages();
prepareBuckets();
prepareDeadLetters();
for (const id of ["connection-filter", "stream-filter", "subscription-subject"]) byId(id).addEventListener("input", refresh);
byId("connection-state").addEventListener("change", () => {
  offset = 0;
  refresh();
});
byId("connections-back").addEventListener("click", () => {
  offset = Math.max(0, offset - PAGE_ROWS);
  refresh();
});
byId("connections-on").addEventListener("click", () => {
  offset += PAGE_ROWS;
  refresh();
});
addEventListener("hashchange", turn);
addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh();
});
setInterval(() => {
  if (!document.hidden) refresh();
}, EVERY_MS);
turn();
