// The state of the broker now and in the last minutes.
import { chart, SAMPLES } from "./charts.js";
import { byId, bytes, count, element, number } from "./elements.js";
import { read } from "./live.js";

const history = [];

// Over a shorter time a rate would be that of a single burst.
const SHORTEST_SECONDS = 0.5;

/** Adds a reading of /varz; two make a rate. A reading just after the last one is not added. */
export function rates(varz) {
  const now = { at: Date.parse(varz.now), varz };
  const last = history.at(-1);
  const isSame = last && last.varz.server_id === varz.server_id;
  if (last && !isSame) history.length = 0;
  const seconds = isSame ? (now.at - last.at) / 1000 : 0;
  if (isSame && seconds < SHORTEST_SECONDS) return last;
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

export async function showOverview(varz, now) {
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
    chart("Messages a second", count, history, ["inMessages", "in", "in"], ["outMessages", "out", "out"]),
    chart("Bytes a second", bytes, history, ["inBytes", "in", "in"], ["outBytes", "out", "out"]),
  );
}
