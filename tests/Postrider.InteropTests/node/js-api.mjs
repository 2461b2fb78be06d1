// Every subject of the API by its own request, and what clients seldom ask: pages, starts, ends, pull options, acknowledgements.
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { headers, nanos } from "@nats-io/nats-core";
import { connect, print, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);
const ask = async (subject, request, by = {}, timeout = 10_000) => {
  const h = headers();
  for (const [key, text] of Object.entries(by)) h.set(key, text);
  return nc.request(`$JS.API.${subject}`, request === undefined ? "" : typeof request === "string" ? request : JSON.stringify(request), { timeout, headers: h });
};
const api = async (subject, request, by) => (await ask(subject, request, by)).json();
const told = (answer) => answer.error ? `${answer.error.code} ${answer.error.err_code} ${answer.error.description}` : answer.type.split(".").pop();
async function until(what) {
  for (let i = 0; i < 500; i++) {
    if (await what()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}
let count = 0;
/** All that comes to an inbox until a status without a message, or until as many came. */
const collect = async (subject, request, many = Infinity) => {
  const inbox = `collect.${++count}`;
  const sub = nc.subscribe(inbox);
  nc.publish(subject, typeof request === "string" ? request : JSON.stringify(request), { reply: inbox });
  const got = [];
  for await (const m of sub) {
    if (m.headers?.code > 0 && m.data.length === 0) {
      got.push({ status: `${m.headers.code} ${m.headers.description}`, m });
      break;
    }
    got.push({ m });
    if (got.length === many) break;
  }
  sub.unsubscribe();
  return got;
};
const listed = (got) => got.map(({ status, m }) => status ?? m.string()).join(" ");

// The account, and requests that nobody can take.
const info = await api("INFO");
print("account info", told(info), info.streams, info.consumers, Object.keys(info.limits).sort().join(","));
print("required level", told(await api("INFO", undefined, { "Nats-Required-Api-Level": "4" })), "/", told(await api("INFO", undefined, { "Nats-Required-Api-Level": "99" })));

// Streams.
print("stream create", told(await api("STREAM.CREATE.S", { name: "S", subjects: ["s.>"], allow_direct: true })), "/", told(await api("STREAM.CREATE.S", { name: "S", subjects: ["other"] })), "/", told(await api("STREAM.CREATE.S")));
print("stream update", told(await api("STREAM.UPDATE.S", { name: "S", subjects: ["s.>"], allow_direct: true, description: "one" })), "/", told(await api("STREAM.UPDATE.NONE", { name: "NONE" })));
for (let i = 1; i <= 20; i++) await js.publish(`s.${i % 4}`, `${i}`);
const times = (await jsm.streams.getMessage("S", { seq: 11 })).timestamp;
const details = await api("STREAM.INFO.S", { subjects_filter: "s.*", offset: 2 });
print("stream info", told(details), details.state.num_subjects, details.total, details.offset, Object.keys(details.state.subjects).length, "/", told(await api("STREAM.INFO.NONE")));
for (let i = 0; i < 5; i++) await api(`STREAM.CREATE.T${i}`, { name: `T${i}`, subjects: [`t.${i}`] });
const names = await api("STREAM.NAMES", { offset: 4 });
print("stream names", names.total, names.offset, names.limit, names.streams.length, JSON.stringify((await api("STREAM.NAMES", { subject: "t.3" })).streams), JSON.stringify((await api("STREAM.NAMES", { subject: "nowhere" })).streams));
const list = await api("STREAM.LIST", { offset: 1 });
print("stream list", list.total, list.offset, list.limit, list.streams.length, (await api("STREAM.LIST", { subject: "t.*" })).streams.map((s) => s.config.name).sort().join(","));
print("stream delete", told(await api("STREAM.DELETE.T0")), "/", told(await api("STREAM.DELETE.T0")), "/", told(await api("STREAM.DELETE.T1", "{\"a\":1}")));

// Messages.
const stored = async (request) => { const answer = await api("STREAM.MSG.GET.S", request); return answer.error ? told(answer) : `${answer.message.seq} ${answer.message.subject} ${Buffer.from(answer.message.data, "base64")}`; };
print("message get", await stored({ seq: 5 }), "/", await stored({ last_by_subj: "s.1" }), "/", await stored({ seq: 6, next_by_subj: "s.1" }), "/", await stored({ seq: 50 }), "/", await stored({}), "/", await stored({ seq: 1, last_by_subj: "s.1" }));
print("message delete", told(await api("STREAM.MSG.DELETE.S", { seq: 3 })), "/", told(await api("STREAM.MSG.DELETE.S", { seq: 3 })), "/", told(await api("STREAM.MSG.DELETE.S", { seq: 4, no_erase: true })));
const direct = async (request, subject = "S", many = 1) => listed(await collect(`$JS.API.DIRECT.GET.${subject}`, request, many));
print("direct get", await direct({ seq: 5 }), "/", await direct("", "S.s.1"), "/", await direct({ last_by_subj: "s.2" }), "/", await direct({ seq: 3 }), "/", await direct({ seq: 6, next_by_subj: "s.1" }), "/", await direct({ start_time: times }), "/", await direct("{"), "/", await direct({}));
print("direct batch", await direct({ seq: 10, batch: 3 }, "S", Infinity), "/", await direct({ seq: 1, batch: 10, max_bytes: 60 }, "S", Infinity), "/", await direct({ seq: 1, batch: 3, next_by_subj: "s.1" }, "S", Infinity), "/", await direct({ start_time: times, batch: 2 }, "S", Infinity));
print("direct multi last", await direct({ multi_last: ["s.1", "s.2"] }, "S", Infinity), "/", await direct({ multi_last: ["s.*"], up_to_seq: 12 }, "S", Infinity), "/", await direct({ multi_last: ["s.*"], up_to_time: times }, "S", Infinity), "/", await direct({ multi_last: ["s.*"], batch: 2 }, "S", Infinity), "/", await direct({ multi_last: ["none"] }, "S", Infinity), "/", await direct({ multi_last: ["s.*"], up_to_seq: 5, up_to_time: times }, "S", Infinity));
const got = (await collect("$JS.API.DIRECT.GET.S", { seq: 5, batch: 1 }))[0].m.headers;
print("direct headers", got.get("Nats-Stream"), got.get("Nats-Subject"), got.get("Nats-Sequence"), got.get("Nats-Num-Pending"), got.get("Nats-Last-Sequence"), got.get("Nats-Time-Stamp").endsWith("Z"));

// Consumers.
const config = { ack_policy: "explicit", max_ack_pending: 100 };
const create = (subject, more = {}, request = {}, by = {}) => api(`CONSUMER.${subject}`, { stream_name: "S", config: { ...config, ...more }, ...request }, by);
const made = await create("CREATE.S", {});
print("consumer create", told(made), made.name.length > 0, made.config.name ?? "unnamed", "/", told(await create("CREATE.S.one", { name: "one" })), "/", told(await create("CREATE.S.two.s.1", { name: "two", filter_subject: "s.1" })), "/", told(await create("CREATE.S.three.s.1", { name: "three" })), "/", told(await create("CREATE.S.one", { name: "one" }, { action: "create" })), "/", told(await create("CREATE.S.one", { name: "one", ack_policy: "all" }, { action: "create" })), "/", told(await create("CREATE.S.four", { name: "four" }, { stream_name: "OTHER" })));
print("consumer action", told(await create("CREATE.S.five", { name: "five" }, { action: "update" })), "/", told(await create("CREATE.S.five", { name: "five" }, { action: "replace" })));
print("consumer durable create", told(await create("DURABLE.CREATE.S.kept", { durable_name: "kept" })), "/", told(await create("DURABLE.CREATE.S.kept", {})), "/", told(await create("DURABLE.CREATE.S.kept", { durable_name: "other" })));
print("consumer update", (await create("CREATE.S.one", { name: "one", description: "changed" }, { action: "update" })).config.description, "/", told(await create("CREATE.S.one", { name: "one", ack_policy: "all" }, { action: "update" })));
print("consumer update of a threshold", (await create("CREATE.S.one", { name: "one", description: "changed", inactive_threshold: nanos(60_000) }, { action: "update" })).config.inactive_threshold, (await api("CONSUMER.INFO.S.one")).config.inactive_threshold);
print("consumer info", told(await api("CONSUMER.INFO.S.one")), "/", told(await api("CONSUMER.INFO.S.none")), "/", told(await api("CONSUMER.INFO.NONE.one")));
const consumers = await api("CONSUMER.NAMES.S", { offset: 1 });
print("consumer names", consumers.total, consumers.offset, consumers.limit, consumers.consumers.length, "/", told(await api("CONSUMER.NAMES.NONE")));
const infos = await api("CONSUMER.LIST.S", { offset: 2 });
print("consumer list", infos.total, infos.offset, infos.limit, infos.consumers.length, "/", told(await api("CONSUMER.LIST.NONE")));
const paused = await api("CONSUMER.PAUSE.S.one", { pause_until: "2100-01-01T00:00:00Z" });
print("consumer pause", told(paused), paused.paused, paused.pause_until, (await api("CONSUMER.INFO.S.one")).paused, "/", (await api("CONSUMER.PAUSE.S.one", {})).paused, "/", told(await api("CONSUMER.PAUSE.S.none", {})));

// Pulls: how many, how long, how large, for whom.
const pull = async (consumer, request, many) => listed(await collect(`$JS.API.CONSUMER.MSG.NEXT.S.${consumer}`, request, many));
print("pull batch", await pull("one", { batch: 3 }, 3), "/", await pull("one", "2", 2), "/", await pull("one", "", 1));
await create("CREATE.S.late", { name: "late", filter_subject: "s.late" });
print("pull no wait", await pull("one", { batch: 3, no_wait: true }, 3), "/", await pull("two", { batch: 9, no_wait: true }));
print("pull expires", await pull("late", { batch: 10, expires: nanos(300) }));
print("pull max bytes", await pull("kept", { batch: 10, max_bytes: 250, no_wait: true }));
print("pull idle heartbeat", await pull("late", { batch: 1, expires: nanos(2000), idle_heartbeat: nanos(200) }));
print("pull left over", await (async () => { const [end] = (await collect("$JS.API.CONSUMER.MSG.NEXT.S.late", { batch: 4, expires: nanos(200) })).slice(-1); return `${end.status} ${end.m.headers.get("Nats-Pending-Messages")} ${end.m.headers.get("Nats-Pending-Bytes")}`; })());
await create("CREATE.S.over", { name: "over", priority_policy: "overflow", priority_groups: ["A"] });
print("pull min pending", await pull("over", { batch: 1, expires: nanos(300), group: "A", min_pending: 1000 }), "/", await pull("over", { batch: 1, expires: nanos(5000), group: "A", min_pending: 5 }, 1));
print("pull min ack pending", await pull("over", { batch: 1, expires: nanos(300), group: "A", min_ack_pending: 1000 }), "/", await pull("over", { batch: 1, expires: nanos(5000), group: "A", min_ack_pending: 1 }, 1));
print("pull group", await pull("over", { batch: 1, no_wait: true }), "/", await pull("over", { batch: 1, no_wait: true, group: "B" }), "/", await pull("one", { batch: 1, no_wait: true, group: "A" }, 1));
await create("CREATE.S.first", { name: "first", priority_policy: "prioritized", priority_groups: ["A"], filter_subject: "s.prio" });
const late = pull("first", { batch: 1, expires: nanos(5000), group: "A", priority: 5 }, 1);
const early = pull("first", { batch: 1, expires: nanos(5000), group: "A", priority: 1 }, 1);
await nc.flush();
await until(async () => (await api("CONSUMER.INFO.S.first")).num_waiting === 2);
await js.publish("s.prio", "to the first");
print("pull priority", await early);
await js.publish("s.prio", "to the second");
print("pull priority then", await late);

// Acknowledgements by their words.
await create("CREATE.S.acks", { name: "acks", filter_subject: "s.2", max_ack_pending: 1 });
const one = async () => (await collect("$JS.API.CONSUMER.MSG.NEXT.S.acks", { batch: 1, expires: nanos(5000) }, 1))[0].m;
const floor = async () => (await api("CONSUMER.INFO.S.acks")).ack_floor.stream_seq;
let m = await one();
print("double ack", (await nc.request(m.reply, "+ACK")).data.length, await floor());
m = await one();
print("empty ack", (await nc.request(m.reply, "")).data.length, await floor());
m = await one();
nc.publish(m.reply, "-NAK");
print("nak", (await one()).string() === m.string());
const second = await js.consumers.get("S", "acks");
nc.publish(m.reply, `-NAK {"delay": ${nanos(300)}}`);
const began = Date.now();
m = await one();
print("nak with a delay", Date.now() - began >= 250, m.reply.split(".")[4]);
nc.publish(m.reply, "+WPI");
await nc.flush();
print("in progress", (await second.info()).num_ack_pending);
const nexts = await collect(m.reply, `+NXT {"batch": 1}`, 1);
print("ack and next", nexts[0].m.string(), await floor());
nc.publish(nexts[0].m.reply, "+TERM no use");
print("term", await until(async () => (await second.info()).num_ack_pending === 0), await floor());

// Reset, unpin, delete.
const reset = await api("CONSUMER.RESET.S.one", {});
print("consumer reset", told(reset), reset.reset_seq, reset.num_ack_pending, await pull("one", { batch: 2 }, 2));
const to = await api("CONSUMER.RESET.S.one", { seq: 10 });
print("consumer reset to", told(to), to.reset_seq, await pull("one", { batch: 2 }, 2));
await create("CREATE.S.from", { name: "from", deliver_policy: "by_start_sequence", opt_start_seq: 15 });
print("consumer reset refused", told(await api("CONSUMER.RESET.S.from", { seq: 3 })), "/", await ask("CONSUMER.RESET.S.none", {}, {}, 500).then((x) => x.string(), (error) => error.message), "/", await ask("CONSUMER.RESET.NONE.none", {}, {}, 500).then((x) => x.string(), (error) => error.message));
await create("CREATE.S.pin", { name: "pin", priority_policy: "pinned_client", priority_groups: ["A"], priority_timeout: nanos(60_000) });
const pinOf = async () => (await collect("$JS.API.CONSUMER.MSG.NEXT.S.pin", { batch: 1, expires: nanos(5000), group: "A" }, 1))[0].m.headers.get("Nats-Pin-Id");
const pin = await pinOf();
print("consumer unpin", told(await api("CONSUMER.UNPIN.S.pin", { group: "A" })), (await pinOf()) !== pin, "/", told(await api("CONSUMER.UNPIN.S.pin", { group: "B" })), "/", told(await api("CONSUMER.UNPIN.S.pin", {})), "/", told(await api("CONSUMER.UNPIN.S.none", { group: "A" })), "/", told(await api("CONSUMER.UNPIN.S.one", { group: "A" })));
print("consumer delete", told(await api("CONSUMER.DELETE.S.one")), "/", told(await api("CONSUMER.DELETE.S.one")), "/", told(await api("CONSUMER.DELETE.NONE.one")));

// Which stream is meant, by the server that sources from it.
const sourcing = { ack_policy: "none", direct: true, deliver_subject: "sourced", max_ack_pending: 0 };
const first = await ask("CONSUMER.CREATE.S", { stream_name: "S", config: sourcing });
const identity = first.headers.get("Nats-Stream-Identity");
const mismatch = await api("CONSUMER.CREATE.S", { stream_name: "S", config: sourcing }, { "Nats-Stream-Identity": "another" });
print("identity", identity.length, told(await api("CONSUMER.CREATE.S", { stream_name: "S", config: sourcing }, { "Nats-Stream-Identity": identity })), "/", told(mismatch).replace(identity, "(it)"));
print("identity not asked", (await ask("CONSUMER.CREATE.S.plain", { stream_name: "S", config: { name: "plain" } }, { "Nats-Stream-Identity": "another" })).headers?.get("Nats-Stream-Identity") ?? "none");
print("identity of a reset", (await ask("CONSUMER.RESET.S.kept", {}, { "Nats-Stream-Identity": "another" })).headers.get("Nats-Stream-Identity") === identity, (await ask("CONSUMER.RESET.S.kept", {})).headers?.get("Nats-Stream-Identity") ?? "none");
await api("STREAM.CREATE.AGAIN", { name: "AGAIN", subjects: ["again"] });
const before = (await ask("CONSUMER.CREATE.AGAIN", { stream_name: "AGAIN", config: sourcing })).headers.get("Nats-Stream-Identity");
await api("STREAM.DELETE.AGAIN");
await api("STREAM.CREATE.AGAIN", { name: "AGAIN", subjects: ["again"] });
print("identity of a stream made again", told(await api("CONSUMER.CREATE.AGAIN", { stream_name: "AGAIN", config: sourcing }, { "Nats-Stream-Identity": before })).slice(0, 9));

// Purge.
print("stream purge", (await api("STREAM.PURGE.S", { filter: "s.1" })).purged, (await api("STREAM.PURGE.S", { seq: 10 })).purged, (await api("STREAM.PURGE.S", { keep: 3 })).purged, (await api("STREAM.PURGE.S", { filter: "s.*", keep: 1 })).purged, "/", told(await api("STREAM.PURGE.S", { seq: 1, keep: 1 })), "/", told(await api("STREAM.PURGE.NONE")), "/", (await api("STREAM.PURGE.S")).purged);

// Snapshot and restore: the archive goes through the client.
await jsm.streams.add({ name: "SAVED", subjects: ["saved.>"], metadata: { of: "the shop" } });
for (let i = 1; i <= 50; i++) await js.publish(`saved.${i % 3}`, "x".repeat(1000));
await jsm.streams.deleteMessage("SAVED", 7);
await create("CREATE.SAVED.work", { durable_name: "work" }, { stream_name: "SAVED" });
const chunks = [];
const chunksEnd = new Promise((resolve) => nc.subscribe("deliver.snapshot", {
  callback: (_, part) => {
    if (part.data.length > 0) chunks.push(part.data.slice());
    part.respond("");
    if (part.data.length === 0) resolve(part.headers?.description ?? "end");
  },
}));
await nc.flush();
const snapshot = await api("STREAM.SNAPSHOT.SAVED", { deliver_subject: "deliver.snapshot", chunk_size: 8192 });
print("snapshot", told(snapshot), snapshot.config.name, snapshot.state.messages, await chunksEnd, chunks.length > 0);
print("snapshot refused", told(await api("STREAM.SNAPSHOT.SAVED", {})), "/", told(await api("STREAM.SNAPSHOT.NONE", { deliver_subject: "deliver.none" })));
print("restore refused", told(await api("STREAM.RESTORE.SAVED", { config: snapshot.config, state: snapshot.state })), "/", told(await api("STREAM.RESTORE.SAVED")));
await jsm.streams.delete("SAVED");
const restore = await api("STREAM.RESTORE.SAVED", { config: snapshot.config, state: snapshot.state });
for (const chunk of chunks) await nc.request(restore.deliver_subject, chunk, { timeout: 10_000 });
const restored = (await nc.request(restore.deliver_subject, "", { timeout: 10_000 })).json();
print("restore", told(restore), restored.config.metadata.of, restored.state.messages, restored.state.num_deleted, restored.state.last_seq, JSON.stringify((await api("CONSUMER.NAMES.SAVED")).consumers));

// What a single server says of clusters.
for (const subject of ["STREAM.LEADER.STEPDOWN.S", "STREAM.PEER.REMOVE.S", "STREAM.PEER.EVACUATE.S", "STREAM.CANCEL_MOVE.S", "CONSUMER.LEADER.STEPDOWN.S.kept"])
  print("cluster", subject, await ask(subject, subject.includes("PEER") ? { peer: "x" } : undefined, {}, 500).then((x) => told(x.json()), (error) => error.message));
await nc.close();
end();
