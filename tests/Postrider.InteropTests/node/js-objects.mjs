import { Objm } from "@nats-io/obj";
import { connect, print, refusal, end } from "./story.mjs";

const nc = await connect();
const objm = new Objm(nc);
const os = await objm.create("files", { description: "of the shop" });
const stream = (bytes) => new ReadableStream({ pull(c) { c.enqueue(bytes); c.close(); } });
const text = async (result) => { const parts = []; for await (const part of result.data) parts.push(...part); return Buffer.from(parts); };

const small = await os.putBlob({ name: "small", description: "a word" }, new TextEncoder().encode("hello"));
print("small", small.name, small.size, small.chunks, small.digest, small.description);
print("read", new TextDecoder().decode(await os.getBlob("small")));
const big = new Uint8Array(1_000_000).map((_, i) => i * 31);
const put = await os.put({ name: "big", options: { max_chunk_size: 64 * 1024 } }, stream(big));
const back = await os.get("big");
print("big", put.size, put.chunks, put.digest, Buffer.compare(await text(back), Buffer.from(big)), await back.error);
print("empty", (await os.putBlob({ name: "empty" }, new Uint8Array(0))).size, (await os.getBlob("empty")).length);
print("replaced", (await os.putBlob({ name: "small" }, new TextEncoder().encode("again"))).size, new TextDecoder().decode(await os.getBlob("small")));
print("absent", await os.get("absent"), await os.info("absent"));
print("listed", (await os.list()).map((i) => i.name).sort().join(","));
await os.update("small", { name: "renamed", description: "other" });
print("renamed", (await os.info("renamed")).description, (await os.info("small"))?.deleted ?? "null");
const link = await os.link("alias", await os.info("big"));
print("link", link.options.link.bucket, link.options.link.name, (await text(await os.get("alias"))).length);
const other = await objm.create("other");
await os.linkStore("there", other);
print("store link", (await os.info("there")).options.link.bucket);
const watch = await os.watch({ includeHistory: true });
const seen = [];
for await (const i of watch) {
  seen.push(`${i.name}${i.deleted ? "-" : ""}${i.isUpdate ? "!" : ""}`);
  if (seen.length === 5) await os.delete("empty");
  if (seen.length === 6) break;
}
print("watched", seen.slice(0, 5).sort().join(","), seen[5]);
print("deleted", (await os.info("empty")).deleted, await os.get("empty"));
const status = await os.status();
print("status", status.bucket, status.description, status.storage, status.sealed, status.streamInfo.config.subjects.join(","));
const sealed = await os.seal();
print("sealed", sealed.sealed, (await refusal(os.putBlob({ name: "late" }, new Uint8Array(1)))).split(":")[0]);
print("buckets", (await (async () => { const all = []; for await (const s of objm.list()) all.push(s.bucket); return all; })()).sort().join(","));
print("destroyed", await other.destroy());
await nc.close();
end();
