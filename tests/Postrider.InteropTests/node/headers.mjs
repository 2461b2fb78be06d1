import { headers } from "@nats-io/nats-core";
import { connect, print, end } from "./story.mjs";

const nc = await connect();
const sub = nc.subscribe("with.headers", { max: 3 });
const h = headers();
h.set("Plain", "value");
h.append("Several", "one");
h.append("Several", "two");
h.set("Empty", "");
h.set("Umlaut", "größe");
nc.publish("with.headers", "payload", { headers: h, reply: "back" });
nc.publish("with.headers", "", { headers: h });
nc.publish("with.headers", "none");
for await (const m of sub) {
  const shown = m.headers ? m.headers.keys().map((key) => `${key}=${m.headers.values(key).join("|")}`).join(" ") : "no headers";
  print(m.subject, m.reply || "-", JSON.stringify(m.string()), shown);
}
await nc.close();
end();
