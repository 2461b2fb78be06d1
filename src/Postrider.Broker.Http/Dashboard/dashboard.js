// Reads the monitoring pages of the broker that serves this page, and shows them. Names come from clients: everything is set as text.
const EVERY_MS = 2000;
const SAMPLES = 150;
const PAGE_ROWS = 200;
const views = ["overview", "connections", "streams", "accounts"];
const byId = (id) => document.getElementById(id);

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const count = (value) => (Math.abs(value) < 100000 ? number.format(value) : short.format(value));
const bytes = (value) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (Math.abs(value) >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${number.format(value)} ${units[unit]}`;
};

const element = (name, text, attributes = {}) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

async function read(page) {
  const answer = await fetch(`../${page}`, { cache: "no-store", signal: AbortSignal.timeout(10000) });
  if (answer.status === 404) return null;
  if (!answer.ok && page !== "healthz") throw new Error(`${page.split("?")[0]}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  return answer.json();
}

// Tables: columns are [title, value for sorting, text, whether it is a number]; headings sort, by mouse and by keyboard.
const sorting = {};
function fill(table, columns, rows, key, decorate) {
  const order = (sorting[table.id] ??= { column: 0, down: false });
  const value = columns[order.column][1];
  const sorted = [...rows].sort((a, b) => {
    const [x, y] = [value(a), value(b)];
    const sign = typeof x === "string" ? x.localeCompare(y) : x - y;
    return order.down ? -sign : sign;
  });
  if (!table.tHead) {
    const head = table.createTHead().insertRow();
    columns.forEach(([title, , , isNumber], i) => {
      const cell = element("th", undefined, { scope: "col", ...(isNumber && { class: "number" }) });
      const button = element("button", title, { type: "button" });
      button.addEventListener("click", () => {
        order.down = order.column === i ? !order.down : Boolean(isNumber);
        order.column = i;
        refresh();
      });
      cell.append(button);
      head.append(cell);
    });
    table.createTBody();
  }
  [...table.tHead.rows[0].cells].forEach((cell, i) => {
    if (i === order.column) cell.setAttribute("aria-sort", order.down ? "descending" : "ascending");
    else cell.removeAttribute("aria-sort");
  });
  // Rows stay where they can: focus and selection survive.
  const body = table.tBodies[0];
  while (body.rows.length > sorted.length) body.deleteRow(-1);
  sorted.forEach((row, i) => {
    const line = body.rows[i] ?? body.insertRow();
    line.dataset.key = key(row);
    columns.forEach(([, , text, isNumber], j) => {
      const cell = line.cells[j] ?? line.insertCell();
      const shown = text(row);
      if (isNumber) cell.className = "number";
      if (cell.textContent !== shown) cell.replaceChildren(shown);
      cell.title = shown;
    });
    decorate?.(line, row);
  });
}

function clear(table) {
  table.replaceChildren();
}

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

async function showConnections() {
  const state = byId("connection-state").value;
  const page = await read(`connz?auth=1&state=${state}&limit=${PAGE_ROWS}&offset=${offset}`);
  const words = byId("connection-filter").value.trim().toLowerCase();
  const rows = page.connections.filter((row) => `${row.name ?? ""} ${row.ip}:${row.port} ${row.account ?? ""} ${row.authorized_user ?? ""}`.toLowerCase().includes(words));
  fill(byId("connection-table"), connectionColumns, rows, (row) => row.cid);
  const first = page.total === 0 ? 0 : offset + 1;
  byId("connections-shown").textContent = `${first} to ${offset + page.connections.length} of ${page.total}` + (words ? `, ${rows.length} of them match` : "");
  byId("connections-back").disabled = offset === 0;
  byId("connections-on").disabled = offset + page.connections.length >= page.total;
}

// Streams
let chosen = null;
const streamColumns = [
  ["Stream", (row) => row.name, (row) => row.name],
  ["Account", (row) => row.account, (row) => row.account],
  ["Messages", (row) => row.state.messages, (row) => count(row.state.messages), true],
  ["Bytes", (row) => row.state.bytes, (row) => bytes(row.state.bytes), true],
  ["First", (row) => row.state.first_seq, (row) => String(row.state.first_seq), true],
  ["Last", (row) => row.state.last_seq, (row) => String(row.state.last_seq), true],
  ["Subjects", (row) => row.state.num_subjects ?? 0, (row) => count(row.state.num_subjects ?? 0), true],
  ["Consumers", (row) => row.state.consumer_count, (row) => count(row.state.consumer_count), true],
  ["Lag", (row) => row.lag, (row) => count(row.lag), true],
];
const consumerColumns = [
  ["Consumer", (row) => row.name, (row) => row.name],
  ["Lag", (row) => row.num_pending, (row) => count(row.num_pending), true],
  ["Not acknowledged", (row) => row.num_ack_pending, (row) => count(row.num_ack_pending), true],
  ["Delivered again", (row) => row.num_redelivered, (row) => count(row.num_redelivered), true],
  ["Waiting pulls", (row) => row.num_waiting, (row) => count(row.num_waiting), true],
  ["Delivered to", (row) => row.delivered.stream_seq, (row) => String(row.delivered.stream_seq), true],
  ["Acknowledged to", (row) => row.ack_floor.stream_seq, (row) => String(row.ack_floor.stream_seq), true],
];
const streamKey = (row) => JSON.stringify([row.account, row.name]);

async function showStreams() {
  const page = await read("jsz?consumers=1&limit=-1");
  const all = (page?.account_details ?? []).flatMap((account) => (account.stream_detail ?? []).map((stream) => ({
    ...stream,
    account: account.name,
    lag: Math.max(0, ...(stream.consumer_detail ?? []).map((consumer) => consumer.num_pending)),
  })));
  byId("no-streams").hidden = all.length > 0;
  const words = byId("stream-filter").value.trim().toLowerCase();
  const rows = all.filter((row) => `${row.name} ${row.account}`.toLowerCase().includes(words));
  fill(byId("stream-table"), streamColumns, rows, streamKey, (line, row) => {
    const isChosen = chosen === streamKey(row);
    line.className = isChosen ? "chosen" : "";
    let button = line.cells[0].querySelector("button");
    if (!button) {
      button = element("button", row.name, { type: "button" });
      button.addEventListener("click", () => {
        chosen = chosen === line.dataset.key ? null : line.dataset.key;
        refresh();
      });
      line.cells[0].replaceChildren(button);
    }
    button.setAttribute("aria-expanded", String(isChosen));
    button.setAttribute("aria-controls", "consumer-table");
  });
  const stream = all.find((row) => streamKey(row) === chosen);
  byId("consumers-title").hidden = !stream;
  if (!stream) {
    clear(byId("consumer-table"));
    return;
  }
  byId("consumers-title").textContent = `Consumers of ${stream.name}`;
  fill(byId("consumer-table"), consumerColumns, stream.consumer_detail ?? [], (row) => row.name);
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
  fill(byId("account-table"), accountColumns, page.account_statz, (row) => row.acc);
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
  document.title = `Postrider · ${view}`;
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
      await { overview: () => showOverview(varz, now), connections: showConnections, streams: showStreams, accounts: showAccounts }[current()]();
      byId("trouble").hidden = true;
    } while (isWanted);
  } catch (failure) {
    byId("trouble").textContent = `The broker does not answer (${failure.message}). What is shown is the last that it said; this page goes on asking.`;
    byId("trouble").hidden = false;
  } finally {
    isReading = false;
  }
}

for (const id of ["connection-filter", "stream-filter"]) byId(id).addEventListener("input", refresh);
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
