// Every field of a consumer's configuration: what the server shows of it, and what it does or why it is refused.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { nanos } from "@nats-io/nats-core";
import { connect, print, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
const api = async (subject, request) => (await nc.request(`$JS.API.${subject}`, request === undefined ? "" : JSON.stringify(request), { timeout: 10_000 })).json();
const told = (answer) => answer.error ? `${answer.error.err_code} ${answer.error.description}` : "done";
const sorted = (value) => value !== null && typeof value === "object" && !Array.isArray(value)
  ? Object.fromEntries(Object.entries(value).filter(([k]) => !k.startsWith("_nats.")).sort())
  : value;
async function until(what) {
  for (let i = 0; i < 500; i++) {
    if (await what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
await jsm.streams.add({ name: "S", subjects: ["s.>"] });
for (let i = 1; i <= 20; i++) await js.publish(`s.${i % 2 ? "odd" : "even"}`, `${i}`);

let count = 0;
let made = "";
const make = (config) => {
  made = config.durable_name ?? config.name ?? `c${++count}`;
  return api(`CONSUMER.CREATE.S.${made}`, { stream_name: "S", config: { name: made, ack_policy: "explicit", ...config } });
};
/** A consumer that has the field; printed is what the server's own report says of it. */
async function field(name, value, needs = {}, behave = async () => []) {
  const answer = await make({ ...needs, [name]: value });
  const config = (await api(`CONSUMER.INFO.S.${made}`)).config;
  print("field", name, answer.error ? `refused ${told(answer)}` : `shown ${JSON.stringify(sorted(config[name])) ?? "absent"}`);
  const consumer = made;
  for (const line of answer.error ? [] : await behave(consumer)) print("   ", line);
  await api(`CONSUMER.DELETE.S.${consumer}`);
}
const refused = async (name, value, needs = {}) => {
  const answer = await make({ ...needs, [name]: value });
  if (!answer.error) await api(`CONSUMER.DELETE.S.${made}`);
  return `${answer.error ? "refused" : "taken"} ${JSON.stringify(value)}: ${told(answer)}`;
};
/** What a pull gets, until its status. */
const pull = async (consumer, request) => {
  const inbox = `pull.${++count}`;
  const sub = nc.subscribe(inbox);
  nc.publish(`$JS.API.CONSUMER.MSG.NEXT.S.${consumer}`, JSON.stringify(request), { reply: inbox });
  const got = [];
  for await (const m of sub) {
    const isStatus = m.headers?.code > 0 && m.data.length === 0 && !m.reply;
    got.push(isStatus ? `${m.headers.code} ${m.headers.description}` : m);
    if (isStatus || got.length === request.batch) break;
  }
  sub.unsubscribe();
  return got;
};
const shown = (got) => got.map((m) => typeof m === "string" ? m : m.string() === "" ? `(${m.headers.get("Nats-Msg-Size")})` : m.string()).join(" ");
const at_once = { batch: 3, no_wait: true };
/** What a push consumer delivers first. */
const listen = async (subject, many, queue) => {
  const got = [];
  const sub = nc.subscribe(subject, { queue });
  await nc.flush();
  return { sub, got, done: (async () => { for await (const m of sub) { got.push(m); if (got.length === many) break; } })() };
};

await field("durable_name", "named", {}, async () => [await refused("durable_name", "a.b", { name: undefined }), told(await api("CONSUMER.CREATE.S.other", { stream_name: "S", config: { durable_name: "named", ack_policy: "explicit" } }))]);
await field("name", "called", {}, async () => [told(await api("CONSUMER.CREATE.S.called", { stream_name: "S", config: { name: "called", ack_policy: "none" }, action: "create" })), await refused("name", "a/b")]);
await field("description", "what it is for", {}, async () => [(await refused("description", "x".repeat(5000))).slice(-70)]);
await field("deliver_policy", "last_per_subject", { filter_subject: "s.*" }, async (c) => [shown(await pull(c, at_once)), await refused("deliver_policy", "sometimes")]);
await field("opt_start_seq", 19, { deliver_policy: "by_start_sequence" }, async (c) => [shown(await pull(c, at_once)), await refused("opt_start_seq", 5)]);
await field("opt_start_time", "2020-01-01T00:00:00Z", { deliver_policy: "by_start_time" }, async (c) => [shown(await pull(c, at_once)), await refused("opt_start_time", "2020-01-01T00:00:00Z"), await refused("deliver_policy", "by_start_time")]);
await field("ack_policy", "all", {}, async (c) => {
  const got = await pull(c, at_once);
  await nc.request(got[2].reply, "+ACK");
  return [`floor ${(await jsm.consumers.info("S", c)).ack_floor.stream_seq}`, await refused("ack_policy", "perhaps")];
});
await field("ack_wait", nanos(300), { max_ack_pending: 1 }, async (c) => [shown(await pull(c, { batch: 1, expires: nanos(3000) })), shown(await pull(c, { batch: 1, expires: nanos(3000) })), await refused("ack_wait", -1)]);
await field("max_deliver", 2, { ack_wait: nanos(100), max_ack_pending: 1 }, async (c) => [shown(await pull(c, { batch: 1, expires: nanos(3000) })), shown(await pull(c, { batch: 1, expires: nanos(3000) })), shown(await pull(c, { batch: 1, expires: nanos(3000) })), await refused("max_deliver", -5)]);
await field("backoff", [nanos(100), nanos(400)], { max_deliver: 3, max_ack_pending: 1 }, async (c) => {
  const times = [];
  for (let i = 0; i < 3; i++) { await pull(c, { batch: 1, expires: nanos(3000) }); times.push(Date.now()); }
  return [`${times[1] - times[0] >= 80} ${times[2] - times[1] >= 350}`, await refused("backoff", [nanos(1), nanos(2)], { max_deliver: 1 })];
});
await field("filter_subject", "s.even", {}, async (c) => [shown(await pull(c, at_once)), await refused("filter_subject", "a..b")]);
await field("filter_subjects", ["s.even", "s.none"], {}, async (c) => [shown(await pull(c, at_once)), await refused("filter_subjects", ["s.>", "s.even"]), await refused("filter_subjects", ["s.even"], { filter_subject: "s.odd" }), await refused("filter_subjects", [""])]);
await jsm.streams.add({ name: "SLOW", subjects: ["slow"] });
for (let i = 0; i < 3; i++) { await js.publish("slow", `${i}`); await new Promise((resolve) => setTimeout(resolve, 200)); }
await field("replay_policy", "original", {}, async () => {
  const heard = await listen("replayed", 3);
  const began = Date.now();
  await api("CONSUMER.CREATE.SLOW.replay", { stream_name: "SLOW", config: { name: "replay", ack_policy: "none", deliver_subject: "replayed", replay_policy: "original" } });
  await heard.done;
  return [`in its time ${Date.now() - began >= 350}`, await refused("replay_policy", "backwards")];
});
await jsm.streams.add({ name: "BIG", subjects: ["big"] });
for (let i = 0; i < 3; i++) await js.publish("big", "x".repeat(700_000));
await field("rate_limit_bps", 1_000_000, { deliver_subject: "limited" }, async () => {
  const heard = await listen("slowly", 3);
  const began = Date.now();
  await api("CONSUMER.CREATE.BIG.slow", { stream_name: "BIG", config: { name: "slow", ack_policy: "none", deliver_subject: "slowly", rate_limit_bps: 5_600_000 } });
  await heard.done;
  return [`slowly ${Date.now() - began >= 500}`, await refused("rate_limit_bps", 1_000_000)];
});
await field("sample_freq", "100", {}, async (c) => {
  const heard = await listen(`$JS.EVENT.METRIC.CONSUMER.ACK.S.${c}`, 1);
  (await pull(c, { batch: 1, expires: nanos(3000) }))[0].respond("+ACK");
  await heard.done;
  return [heard.got[0].json().type, await refused("sample_freq", "often"), await refused("sample_freq", "-1")];
});
await field("max_waiting", 1, { filter_subject: "s.none" }, async (c) => {
  const first = pull(c, { batch: 1, expires: nanos(2000) });
  await nc.flush();
  const second = shown(await pull(c, { batch: 1, expires: nanos(2000) }));
  return [second, shown(await first), await refused("max_waiting", -1), await refused("max_waiting", 5, { deliver_subject: "x" })];
});
await field("max_ack_pending", 2, {}, async (c) => [shown(await pull(c, { batch: 3, expires: nanos(500) })), await refused("max_ack_pending", 5, { ack_policy: "none" })]);
await field("flow_control", true, { ack_policy: "none", deliver_subject: "flow", idle_heartbeat: nanos(1000) }, async () => [await refused("flow_control", true), await refused("flow_control", true, { deliver_subject: "x" })]);
await field("headers_only", true, {}, async (c) => [shown(await pull(c, at_once))]);
await field("max_batch", 2, {}, async (c) => [shown(await pull(c, { batch: 3, no_wait: true })), shown(await pull(c, { batch: 2, no_wait: true })), await refused("max_batch", -1), await refused("max_batch", 1, { deliver_subject: "x" })]);
await field("max_expires", nanos(1000), {}, async (c) => [shown(await pull(c, { batch: 1, expires: nanos(1001) })), await refused("max_expires", 1000), await refused("max_expires", nanos(1000), { deliver_subject: "x" })]);
await field("max_bytes", 100, {}, async (c) => [shown(await pull(c, { batch: 3, max_bytes: 101, no_wait: true })), await refused("max_bytes", -1), await refused("max_bytes", 100, { deliver_subject: "x" })]);
await field("deliver_subject", "pushed", { ack_policy: "none", deliver_policy: "last" }, async (c) => {
  const heard = await listen("pushed", 1);
  await heard.done;
  return [shown(heard.got), `${heard.got[0].subject}`, await refused("deliver_subject", "a.*"), await refused("deliver_subject", "s.odd"), await refused("deliver_subject", "a..b")];
});
await field("deliver_group", "workers", { ack_policy: "none", deliver_subject: "grouped" }, async () => {
  const [one, two] = [await listen("grouped", 20, "workers"), await listen("grouped", 20, "workers")];
  const all = await until(async () => one.got.length + two.got.length === 20);
  one.sub.unsubscribe();
  two.sub.unsubscribe();
  return [`shared ${all}`, await refused("deliver_group", "a b", { deliver_subject: "x" })];
});
await field("idle_heartbeat", nanos(300), { ack_policy: "none", deliver_policy: "new", deliver_subject: "beating" }, async () => {
  const heard = await listen("beating", 1);
  await heard.done;
  return [`${heard.got[0].headers.code} ${heard.got[0].headers.description} ${heard.got[0].headers.get("Nats-Last-Consumer")}`, await refused("idle_heartbeat", nanos(1000)), await refused("idle_heartbeat", nanos(10), { deliver_subject: "x" })];
});
await field("inactive_threshold", nanos(300), {}, async (c) => [`gone ${await until(async () => (await api(`CONSUMER.INFO.S.${c}`)).error !== undefined)}`, await refused("inactive_threshold", -1)]);
await field("num_replicas", 1, {}, async () => [await refused("num_replicas", 3), await refused("num_replicas", -1)]);
await field("mem_storage", true);
await field("direct", true, { ack_policy: "none", deliver_subject: "directly" }, async () => [JSON.stringify((await api("CONSUMER.NAMES.S")).consumers), await refused("direct", true)]);
await field("sourcing", true, { ack_policy: "flow_control", deliver_subject: "sourcing", flow_control: true, idle_heartbeat: nanos(1000), durable_name: "sourcing" }, async () => [await refused("sourcing", true)]);
await field("metadata", { owner: "shop", colour: "blue" }, {}, async () => [(await refused("metadata", { a: "x".repeat(128 * 1024 + 1) })).slice(-70)]);
await field("pause_until", "2100-01-01T00:00:00Z", {}, async (c) => {
  const info = await api(`CONSUMER.INFO.S.${c}`);
  return [`${info.paused} ${info.pause_remaining > 0}`, shown(await pull(c, { batch: 1, expires: nanos(300) }))];
});
await field("priority_groups", ["A"], { priority_policy: "overflow" }, async (c) => [shown(await pull(c, at_once)), shown(await pull(c, { ...at_once, group: "A" })), await refused("priority_groups", [""], { priority_policy: "overflow" }), await refused("priority_groups", ["a b"], { priority_policy: "overflow" }), await refused("priority_groups", ["A"])]);
await field("priority_policy", "prioritized", { priority_groups: ["A"] }, async (c) => {
  const late = pull(c, { batch: 1, expires: nanos(3000), group: "A", priority: 3 });
  await nc.flush();
  return [shown(await late), shown(await pull(c, { batch: 1, expires: nanos(3000), group: "A", priority: 10 })), await refused("priority_policy", "first"), await refused("priority_policy", "overflow")];
});
await field("priority_timeout", nanos(500), { priority_policy: "pinned_client", priority_groups: ["A"] }, async (c) => {
  const first = (await pull(c, { batch: 1, expires: nanos(3000), group: "A" }))[0];
  const waited = Date.now();
  const second = (await pull(c, { batch: 1, expires: nanos(3000), group: "A" }))[0];
  return [`${first.headers.get("Nats-Pin-Id") !== second.headers.get("Nats-Pin-Id")} ${Date.now() - waited >= 300}`, await refused("priority_timeout", -1, { priority_policy: "pinned_client", priority_groups: ["A"] })];
});
await nc.close();
end();
