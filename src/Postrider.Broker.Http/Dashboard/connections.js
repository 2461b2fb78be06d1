// Connections. The broker sorts and searches: there may be many thousands.
import { buttonIn, byId, bytes, clear, confirmed, count, fill, orderOf, tell } from "./elements.js";
import { read } from "./live.js";
import { session } from "./session.js";

const PAGE_ROWS = 200;
let offset = 0;
let again = () => {};
let server = null;

// The fifth member is the broker's name of the order, the sixth whether that order is descending.
const columns = [
  ["Id", (row) => row.cid, (row) => String(row.cid), true, "cid", false],
  ["Name", (row) => row.name ?? "", (row) => row.name ?? "", false, "name", false],
  ["Address", (row) => row.ip, (row) => (row.port ? `${row.ip}:${row.port}` : row.ip ?? ""), false, "ip", false],
  ["Account", (row) => row.account ?? "", (row) => row.account ?? "", false, "account", false],
  ["User", (row) => row.authorized_user ?? "", (row) => row.authorized_user ?? "", false, "user", false],
  ["Client", (row) => row.lang ?? "", (row) => [row.kind === "Leafnode" ? "leaf node" : row.lang, row.version].filter(Boolean).join(" "), false, "lang", false],
  ["In", (row) => row.in_msgs, (row) => count(row.in_msgs), true, "msgs_from", true],
  ["Out", (row) => row.out_msgs, (row) => count(row.out_msgs), true, "msgs_to", true],
  ["Bytes in", (row) => row.in_bytes, (row) => bytes(row.in_bytes), true, "bytes_from", true],
  ["Bytes out", (row) => row.out_bytes, (row) => bytes(row.out_bytes), true, "bytes_to", true],
  ["Pending", (row) => row.pending_bytes, (row) => bytes(row.pending_bytes), true, "pending", true],
  ["Subscriptions", (row) => row.subscriptions, (row) => count(row.subscriptions), true, "subs", true],
  ["Uptime", (row) => row.uptime ?? "", (row) => row.uptime ?? "", true, "uptime", false],
];
const reason = ["Reason", (row) => row.reason ?? "", (row) => row.reason ?? "", false, "reason", false];

// Users of the system account may close connections.
const kicks = () => session !== null && server !== null && session.account === server.system_account;

async function kick(row) {
  if (!(await confirmed(`Close connection ${row.cid}${row.name ? ` (${row.name})` : ""}? Most clients reconnect.`))) return;
  await session.connection.call(`$SYS.REQ.SERVER.${server.server_id}.KICK`, { cid: row.cid });
  tell(`Connection ${row.cid} was closed.`);
  again();
}

export async function showConnections(varz) {
  server = varz;
  const state = byId("connection-state").value;
  const may = kicks() && state === "open";
  const shown = state === "open" ? columns : [...columns, reason];
  const table = byId("connection-table");
  // Columns depend on the state and on the user.
  const kind = `${state} ${may}`;
  if (table.dataset.kind !== kind) clear(table);
  table.dataset.kind = kind;
  const order = orderOf(table, shown);
  const [, , , , name, isDescending] = shown[order.column];
  const words = byId("connection-filter").value.trim();
  const page = await read(`connz?auth=1&state=${state}&limit=${PAGE_ROWS}&offset=${offset}&sort=${name}&reverse=${order.down !== isDescending}&search=${encodeURIComponent(words)}`);
  fill(table, may ? [...shown, ["Close", (row) => row.cid, () => "Close", false, null]] : shown, page.connections, (row) => row.cid, {
    again,
    isSorted: true,
    decorate: (line, row) => may && buttonIn(line.cells[shown.length], "Close", () => kick(row), `Close connection ${row.cid}`),
  });
  const first = page.connections.length === 0 ? 0 : offset + 1;
  byId("connections-shown").textContent = `${first} to ${offset + page.connections.length} of ${page.total}${words ? " that match" : ""}`;
  byId("connections-back").disabled = offset === 0;
  byId("connections-on").disabled = offset + page.connections.length >= page.total;
  if (offset > 0 && page.connections.length === 0) turnTo(0);
}

function turnTo(next) {
  offset = Math.max(0, next);
  again();
}

export function prepareConnections(refresh) {
  again = refresh;
  byId("connection-filter").addEventListener("input", () => turnTo(0));
  byId("connection-state").addEventListener("change", () => turnTo(0));
  byId("connections-back").addEventListener("click", () => turnTo(offset - PAGE_ROWS));
  byId("connections-on").addEventListener("click", () => turnTo(offset + PAGE_ROWS));
}
