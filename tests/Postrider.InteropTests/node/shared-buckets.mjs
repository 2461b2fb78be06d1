// Buckets that this client and another one use together: it reads what the other wrote, then writes for the other.
import { Kvm } from "@nats-io/kv";
import { Objm } from "@nats-io/obj";
import { connect, print, end } from "./story.mjs";
import crypto from "node:crypto";

const nc = await connect();
const all = async (iterator) => { const found = []; for await (const e of iterator) found.push(e); return found; };
const shown = (e) => e === null ? "null" : `${e.key}=${e.string()}@${e.revision}/${e.operation}`;
const sha = (bytes) => crypto.createHash("sha256").update(bytes).digest("hex");

const kv = await new Kvm(nc).open("shared");
print("history", (await all(await kv.history({ key: "colour" }))).map(shown).join(" "));
print("got", shown(await kv.get("size")), shown(await kv.get("gone")));
print("keys", (await all(await kv.keys())).sort().join(","));
await kv.put("from.node", "grün");
await kv.create("gone", "back");
await kv.delete("size");
await kv.purge("colour");

const os = await new Objm(nc).open("files");
const info = await os.info("folder/big");
print("object", info.name, info.size, info.chunks, info.description, info.metadata?.owner, info.options.max_chunk_size);
const bytes = await os.getBlob("folder/big");
print("bytes", bytes.length, info.digest === `SHA-256=${crypto.createHash("sha256").update(bytes).digest("base64url")}=`, sha(bytes));
print("link", sha(await os.getBlob("link")) === sha(bytes));
print("list", (await os.list()).map((o) => o.name).sort().join(","));
await os.putBlob({ name: "from/node", description: "größer", options: { max_chunk_size: 1000 } }, new Uint8Array(2500).fill(7));
await os.delete("small");
await os.link("back", await os.info("from/node"));
await nc.close();
end();
