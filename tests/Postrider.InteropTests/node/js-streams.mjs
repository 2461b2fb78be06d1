import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const jsm = await jetstreamManager(nc);
const js = jetstream(nc);

const config = (c) => JSON.stringify(Object.fromEntries(Object.entries(c).filter(([k]) => k !== "metadata").sort()));

// Create, look at, list.
const added = await jsm.streams.add({ name: "ORDERS", subjects: ["orders.>"], description: "what was ordered" });
print("added", added.config.name, added.state.messages, added.state.first_seq, added.state.last_seq);
print("config", config(added.config));
print("again", (await jsm.streams.add({ name: "ORDERS", subjects: ["orders.>"], description: "what was ordered" })).config.name);
print("other config", await refusal(jsm.streams.add({ name: "ORDERS", subjects: ["other.>"] })));
print("overlap", await refusal(jsm.streams.add({ name: "OVERLAP", subjects: ["orders.new"] })));
print("bad name", await refusal(nc.request("$JS.API.STREAM.CREATE.a*b", JSON.stringify({ name: "a*b" })).then((m) => m.string())));
print("name differs", (await nc.request("$JS.API.STREAM.CREATE.ONE", JSON.stringify({ name: "TWO" }))).json().error.description);
print("no json", (await nc.request("$JS.API.STREAM.CREATE.ONE", "{")).json().error.err_code);
print("negative replicas", await refusal(jsm.streams.add({ name: "R", subjects: ["r"], num_replicas: -1 })));
print("three replicas", await refusal(jsm.streams.add({ name: "R", subjects: ["r"], num_replicas: 3 })));
for (let i = 1; i <= 12; i++) await jsm.streams.add({ name: `S${String(i).padStart(2, "0")}`, subjects: [`s.${i}`], storage: i % 2 ? "memory" : "file" });
print("names", (await jsm.streams.names().next()).sort().join(","));
print("names by subject", (await jsm.streams.names("s.7").next()).join(","));
print("listed", (await jsm.streams.list().next()).length);
print("found", await jsm.streams.find("orders.new"), await refusal(jsm.streams.find("nowhere")));
for (let i = 1; i <= 12; i++) await jsm.streams.delete(`S${String(i).padStart(2, "0")}`);
print("absent", await refusal(jsm.streams.info("S01")), "/", await refusal(jsm.streams.delete("S01")));

// Messages.
for (const [subject, data] of [["orders.new", "a"], ["orders.paid", "b"], ["orders.new", "c"], ["orders.sent", "d"], ["orders.paid", "e"]]) await js.publish(subject, data);
const info = await jsm.streams.info("ORDERS", { subjects_filter: ">" });
print("state", info.state.messages, info.state.bytes, info.state.first_seq, info.state.last_seq, info.state.num_subjects, JSON.stringify(Object.fromEntries(Object.entries(info.state.subjects).sort())));
const third = await jsm.streams.getMessage("ORDERS", { seq: 3 });
print("by sequence", third.subject, third.seq, third.string(), third.time instanceof Date);
const paid = await jsm.streams.getMessage("ORDERS", { last_by_subj: "orders.paid" });
print("last by subject", paid.seq, paid.string());
print("no message", await refusal(jsm.streams.getMessage("ORDERS", { seq: 99 })), await jsm.streams.getMessage("ORDERS", { last_by_subj: "orders.x" }));
print("deleted", await jsm.streams.deleteMessage("ORDERS", 2), await refusal(jsm.streams.deleteMessage("ORDERS", 2)));
const withGaps = await jsm.streams.info("ORDERS", { deleted_details: true });
print("gaps", withGaps.state.num_deleted, JSON.stringify(withGaps.state.deleted), withGaps.state.messages);

// Purge.
print("purged by subject", (await jsm.streams.purge("ORDERS", { filter: "orders.new" })).purged);
print("purged to sequence", (await jsm.streams.purge("ORDERS", { seq: 5 })).purged);
for (let i = 0; i < 10; i++) await js.publish("orders.keep", `${i}`);
print("purged but", (await jsm.streams.purge("ORDERS", { filter: "orders.keep", keep: 3 })).purged);
print("both", (await nc.request("$JS.API.STREAM.PURGE.ORDERS", JSON.stringify({ seq: 1, keep: 2 }))).json().error.description);
print("purged", (await jsm.streams.purge("ORDERS")).purged);
const empty = (await jsm.streams.info("ORDERS")).state;
print("empty", empty.messages, empty.bytes, empty.first_seq, empty.last_seq);

// Update.
const updated = await jsm.streams.update("ORDERS", { subjects: ["orders.>", "more"], max_msgs: 3, description: "changed" });
print("updated", updated.config.subjects.join(","), updated.config.max_msgs, updated.config.description);
for (let i = 0; i < 5; i++) await js.publish("more", `${i}`);
const limited = (await jsm.streams.info("ORDERS")).state;
print("limited", limited.messages, limited.first_seq, limited.last_seq);
print("storage change", await refusal(jsm.streams.update("ORDERS", { storage: "memory" })));
print("retention change", await refusal(jsm.streams.update("ORDERS", { retention: "workqueue" })));
print("update of none", await refusal(jsm.streams.update("NONE", { subjects: ["x"] })));
print("first sequence", (await jsm.streams.add({ name: "FIRST", subjects: ["first"], first_seq: 1000 })).state.first_seq, (await js.publish("first", "x")).seq);

// Sealed and denied.
await jsm.streams.add({ name: "SHUT", subjects: ["shut"], deny_delete: true, deny_purge: true });
await js.publish("shut", "x");
print("deny delete", await refusal(jsm.streams.deleteMessage("SHUT", 1)));
print("deny purge", await refusal(jsm.streams.purge("SHUT")));
await jsm.streams.add({ name: "SEAL", subjects: ["seal"] });
await js.publish("seal", "x");
print("sealed", (await jsm.streams.update("SEAL", { sealed: true })).config.sealed, await refusal(js.publish("seal", "y")));
print("delete in sealed", await refusal(jsm.streams.deleteMessage("SEAL", 1)));
const account = await jsm.getAccountInfo();
print("account", account.streams, account.consumers, account.limits.max_streams, account.limits.max_memory, account.api.errors > 0, account.api.level >= 1);
print("gone", await jsm.streams.delete("ORDERS"), (await jsm.streams.names().next()).sort().join(","));
await nc.close();
end();
