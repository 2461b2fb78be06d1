// Every field of a stream's configuration: what the server shows of it, and what it does or why it is refused.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { headers, nanos } from "@nats-io/nats-core";
import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
const state = async (name) => (await jsm.streams.info(name)).state;
const api = async (subject, request) => (await nc.request(`$JS.API.${subject}`, request === undefined ? "" : JSON.stringify(request), { timeout: 10_000 })).json();
async function until(what) {
  for (let i = 0; i < 500; i++) {
    if (await what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
const put = async (subject, value, by = {}) => {
  const h = headers();
  for (const [key, text] of Object.entries(by)) h.set(key, text);
  return (await nc.request(subject, value, { headers: h, timeout: 10_000 })).json();
};
const told = (answer) => answer.error ? `${answer.error.err_code} ${answer.error.description}` : JSON.stringify(answer.seq ?? answer.success ?? answer.purged ?? "done");
const sorted = (value) => Array.isArray(value) ? value.map(sorted)
  : value !== null && typeof value === "object" ? Object.fromEntries(Object.entries(value).filter(([k]) => !k.startsWith("_nats.")).sort().map(([k, v]) => [k, sorted(v)]))
  : value;

// Go's server takes its folder away with the last stream, and now and then from under the next one.
await api("STREAM.CREATE.KEPT", { name: "KEPT", subjects: ["kept"] });
let count = 0;
/** A stream that has the field, beside what the field needs; printed is what the server's own report says of it. */
async function field(name, value, needs = {}, behave = async () => []) {
  const stream = `F${++count}`;
  const asked = { name: stream, ...(needs.mirror || needs.sources || name === "mirror" || name === "sources" ? {} : { subjects: [`f${count}.>`] }), ...needs, [name]: value };
  const answer = await api(`STREAM.CREATE.${asked.name}`, asked);
  const config = (await api(`STREAM.INFO.${asked.name}`)).config;
  const shown = config === undefined ? "none" : JSON.stringify(sorted(config[name])) ?? "absent";
  print("field", name, answer.error ? `refused ${told(answer)}` : `shown ${shown}`);
  for (const line of answer.error ? [] : await behave(asked.name, `f${count}`)) print("   ", line);
  await api(`STREAM.DELETE.${asked.name}`);
}
const refused = async (name, value, needs = {}) => {
  const answer = await api("STREAM.CREATE.REFUSED", { name: "REFUSED", subjects: ["refused"], ...needs, [name]: value });
  if (!answer.error) await api("STREAM.DELETE.REFUSED");
  return `${answer.error ? "refused" : "taken"} ${JSON.stringify(value)}: ${told(answer)}`;
};

await field("name", "NAMED", {}, async () => [(await jsm.streams.names().next()).join(","), told(await api("STREAM.CREATE.NAMED", { name: "OTHER" })), told(await api("STREAM.UPDATE.NAMED", { name: "OTHER" }))]);
await field("description", "what it holds", {}, async (s) => [told(await api(`STREAM.UPDATE.${s}`, { name: s, subjects: ["f2.>"], description: "x".repeat(4097) })), await refused("description", "x".repeat(4097)).then((text) => text.slice(-60))]);
await field("subjects", ["here.*", "there"], {}, async () => [told(await put("here.a", "x")), told(await put("there", "x")), await refusal(js.publish("here.a.b", "x")), await refused("subjects", ["a", "a"]), await refused("subjects", ["a..b"]), await refused("subjects", [">"]), await refused("subjects", ["here.b"]), await refused("subjects", ["$JS.API.>"])]);
await field("retention", "workqueue", {}, async (s, f) => {
  await put(`${f}.a`, "x");
  await api(`CONSUMER.CREATE.${s}.c`, { stream_name: s, config: { durable_name: "c", ack_policy: "explicit" } });
  await (await (await js.consumers.get(s, "c")).next()).ackAck();
  return [`${(await state(s)).messages} left`, await refused("retention", "forever")];
});
await field("max_consumers", 1, {}, async (s) => {
  const make = (name) => api(`CONSUMER.CREATE.${s}.${name}`, { stream_name: s, config: { durable_name: name, ack_policy: "explicit" } });
  return [told(await make("one")), told(await make("two"))];
});
await field("max_msgs", 2, {}, async (s, f) => {
  for (const v of ["1", "2", "3"]) await put(`${f}.a`, v);
  return [`${(await state(s)).messages} from ${(await state(s)).first_seq}`];
});
await field("max_bytes", 1000, {}, async (s, f) => {
  for (let i = 0; i < 20; i++) await put(`${f}.a`, "x".repeat(100));
  return [`${(await state(s)).bytes <= 1000} ${(await state(s)).messages}`, told(await put(`${f}.a`, "x".repeat(1100)))];
});
await field("max_age", nanos(400), { duplicate_window: nanos(400) }, async (s, f) => {
  await put(`${f}.a`, "x");
  return [`gone ${await until(async () => (await state(s)).messages === 0)}`, await refused("max_age", nanos(50)), await refused("max_age", -1)];
});
await field("max_msgs_per_subject", 2, {}, async (s, f) => {
  for (const v of ["a", "a", "a", "b"]) await put(`${f}.${v}`, v);
  return [`${(await state(s)).messages} from ${(await state(s)).first_seq}`];
});
await field("max_msg_size", 10, {}, async (_, f) => [told(await put(`${f}.a`, "x".repeat(10))), told(await put(`${f}.a`, "x".repeat(11)))]);
await field("discard", "new", { max_msgs: 1 }, async (_, f) => [told(await put(`${f}.a`, "x")), told(await put(`${f}.a`, "x")), await refused("discard", "some")]);
await field("storage", "memory", {}, async (s, f) => [told(await put(`${f}.a`, "x")), told(await api(`STREAM.UPDATE.${s}`, { name: s, subjects: [`${f}.>`], storage: "file" })), await refused("storage", "tape")]);
await field("num_replicas", 1, {}, async () => [await refused("num_replicas", 3), await refused("num_replicas", -1), await refused("num_replicas", 6)]);
await field("no_ack", true, {}, async (s, f) => [await refusal(js.publish(`${f}.a`, "x", { timeout: 300 })), `${(await state(s)).messages} stored`]);
await field("duplicate_window", nanos(500), {}, async (s, f) => {
  const twice = async () => [await put(`${f}.a`, "x", { "Nats-Msg-Id": "one" }), await put(`${f}.a`, "x", { "Nats-Msg-Id": "one" })].map((a) => `${a.seq}${a.duplicate ? " again" : ""}`).join(", ");
  const first = await twice();
  await new Promise((resolve) => setTimeout(resolve, 1200));
  return [first, (await put(`${f}.a`, "x", { "Nats-Msg-Id": "one" })).duplicate ? "still known" : "forgotten", await refused("duplicate_window", nanos(50)), await refused("duplicate_window", -1)];
});
await field("placement", { cluster: "here", tags: ["ssd"] }, {}, async () => [await refused("placement", { preferred: "server" })]);
await api("STREAM.CREATE.ORIGIN", { name: "ORIGIN", subjects: ["origin.*"], allow_direct: true });
for (let i = 1; i <= 10; i++) await put(`origin.${i % 2 ? "odd" : "even"}`, `${i}`);
await field("mirror", { name: "ORIGIN", filter_subject: "origin.even" }, {}, async (s) => [
  `${await until(async () => (await state(s)).messages === 5)} ${(await state(s)).first_seq} ${(await state(s)).last_seq}`,
  await refused("mirror", { name: "ORIGIN" }), await refused("mirror", { name: "ORIGIN", opt_start_seq: 1, opt_start_time: new Date(0).toISOString() }, { subjects: undefined })]);
await field("sources", [{ name: "ORIGIN", opt_start_seq: 8 }], {}, async (s) => [`${await until(async () => (await state(s)).messages === 3)} ${(await state(s)).last_seq}`, await refused("sources", [{ name: "ORIGIN" }, { name: "ORIGIN" }], { subjects: undefined })]);
await field("compression", "s2", {}, async (s, f) => [told(await put(`${f}.a`, "x".repeat(10_000))), `${(await jsm.streams.getMessage(s, { seq: 1 })).string().length} back`, await refused("compression", "zip")]);
await field("first_seq", 77, {}, async (s, f) => [`${(await state(s)).first_seq} ${(await state(s)).last_seq}`, told(await put(`${f}.a`, "x"))]);
await field("subject_transform", { src: "f21.*", dest: "mapped.{{wildcard(1)}}" }, {}, async (s, f) => [told(await put(`${f}.a`, "x")), (await jsm.streams.getMessage(s, { seq: 1 })).subject, await refused("subject_transform", { src: "refused", dest: "x.{{wildcard(1)}}" })]);
await field("republish", { src: "f22.>", dest: "again.>", headers_only: true }, {}, async (_, f) => {
  const out = nc.subscribe("again.>", { max: 1 });
  await nc.flush();
  await put(`${f}.a`, "four");
  const lines = [];
  for await (const m of out) lines.push(`${m.subject} ${m.data.length} ${m.headers.get("Nats-Msg-Size")} ${m.headers.get("Nats-Sequence")}`);
  return [...lines, await refused("republish", { src: "refused", dest: "refused" })];
});
await field("allow_direct", true, {}, async (s, f) => [told(await put(`${f}.a`, "x")), `${(await jsm.direct.getMessage(s, { seq: 1 })).seq}`]);
await field("mirror_direct", true, { mirror: { name: "ORIGIN" } }, async (s) => {
  const mirrored = await until(async () => (await state(s)).messages === 10);
  await api("STREAM.DELETE.ORIGIN");
  const got = await jsm.direct.getMessage("ORIGIN", { seq: 3 });
  return [`${mirrored} ${got.seq} ${got.string()} by ${got.stream}`, await refused("mirror_direct", true)];
});
await field("discard_new_per_subject", true, { discard: "new", max_msgs_per_subject: 1 }, async (_, f) => [told(await put(`${f}.a`, "x")), told(await put(`${f}.a`, "x")), told(await put(`${f}.b`, "x")), await refused("discard_new_per_subject", true), await refused("discard_new_per_subject", true, { discard: "new" })]);
await field("sealed", true, {}, async () => []);
await api("STREAM.CREATE.SEALED", { name: "SEALED", subjects: ["sealed"] });
await put("sealed", "x");
print("    ", JSON.stringify((await api("STREAM.UPDATE.SEALED", { name: "SEALED", subjects: ["sealed"], sealed: true })).config.sealed), told(await put("sealed", "x")), told(await api("STREAM.PURGE.SEALED")), told(await api("STREAM.MSG.DELETE.SEALED", { seq: 1 })), told(await api("STREAM.UPDATE.SEALED", { name: "SEALED", subjects: ["sealed"] })));
await field("deny_delete", true, {}, async (s, f) => [told(await put(`${f}.a`, "x")), told(await api(`STREAM.MSG.DELETE.${s}`, { seq: 1 })), told(await api(`STREAM.UPDATE.${s}`, { name: s, subjects: [`${f}.>`] }))]);
await field("deny_purge", true, {}, async (s, f) => [told(await put(`${f}.a`, "x")), told(await api(`STREAM.PURGE.${s}`)), told(await api(`STREAM.UPDATE.${s}`, { name: s, subjects: [`${f}.>`] }))]);
await field("allow_rollup_hdrs", true, {}, async (s, f) => {
  await put(`${f}.a`, "x");
  await put(`${f}.a`, "x", { "Nats-Rollup": "sub" });
  return [`${(await state(s)).messages} left`, await refused("allow_rollup_hdrs", true, { deny_purge: true })];
});
await field("consumer_limits", { inactive_threshold: nanos(60_000), max_ack_pending: 7 }, {}, async (s) => {
  const make = (name, config) => api(`CONSUMER.CREATE.${s}.${name}`, { stream_name: s, config: { name, ack_policy: "explicit", ...config } });
  const made = await make("one", {});
  return [`${made.config.inactive_threshold} ${made.config.max_ack_pending}`, told(await make("two", { max_ack_pending: 8 })), told(await make("three", { inactive_threshold: nanos(61_000) }))];
});
await field("allow_msg_ttl", true, {}, async (s, f) => [told(await put(`${f}.a`, "x", { "Nats-TTL": "1s" })), `gone ${await until(async () => (await state(s)).messages === 0)}`]);
await field("subject_delete_marker_ttl", nanos(1000), { allow_msg_ttl: true }, async (s, f) => {
  await put(`${f}.a`, "x", { "Nats-TTL": "1s" });
  const marked = await until(async () => (await state(s)).last_seq === 2);
  return [`${marked} ${(await jsm.streams.getMessage(s, { seq: 2 })).header.get("Nats-Marker-Reason")}`, await refused("subject_delete_marker_ttl", nanos(10)), await refused("subject_delete_marker_ttl", -1)];
});
await field("allow_msg_counter", true, {}, async (_, f) => [(await put(`${f}.a`, "", { "Nats-Incr": "+5" })).val, (await put(`${f}.a`, "", { "Nats-Incr": "-2" })).val, told(await put(`${f}.a`, "x")), await refused("allow_msg_counter", true, { discard: "new" }), await refused("allow_msg_counter", true, { retention: "interest" }), await refused("allow_msg_counter", true, { allow_msg_ttl: true })]);
await field("allow_atomic", true, {}, async (s, f) => {
  const batch = await js.startBatch(`${f}.a`, "1");
  const done = await batch.commit(`${f}.b`, "2");
  return [`${done.count} ${done.seq} ${(await state(s)).messages}`];
});
await field("allow_msg_schedules", true, {}, async (s, f) => [told(await put(`${f}.s`, "due", { "Nats-Schedule": `@at ${new Date(Date.now() + 500).toISOString()}`, "Nats-Schedule-Target": `${f}.now` })), `${await until(async () => (await jsm.streams.getMessage(s, { last_by_subj: `${f}.now` })) !== null)}`, told(await put(`${f}.s`, "x", { "Nats-Schedule": "sometime", "Nats-Schedule-Target": `${f}.now` })), await refused("allow_msg_schedules", true, { discard: "new" })]);
await field("persist_mode", "async", {}, async (s, f) => [told(await put(`${f}.a`, "x")), told(await api(`STREAM.UPDATE.${s}`, { name: s, subjects: [`${f}.>`], persist_mode: "default" })), await refused("persist_mode", "async", { storage: "memory" }), await refused("persist_mode", "async", { allow_atomic: true }), await refused("persist_mode", "later")]);
await field("metadata", { owner: "shop", colour: "blue" }, {}, async (s, f) => [JSON.stringify(sorted((await api(`STREAM.UPDATE.${s}`, { name: s, subjects: [`${f}.>`], metadata: { owner: "other" } })).config.metadata)), (await refused("metadata", { a: "x".repeat(128 * 1024 + 1) })).slice(-70)]);
await nc.close();
end();
