// What the official client makes of TLS: argument 2 is the address, then the authority, and the client's certificate and key where there are any.
import { print, end, refusal } from "./story.mjs";
import { connect as dial } from "@nats-io/transport-node";

const [, , url, caFile, certFile, keyFile, first] = process.argv;
const tls = { caFile, ...(certFile ? { certFile, keyFile } : {}), ...(first === "first" ? { handshakeFirst: true } : {}) };
const servers = url.replace("127.0.0.1", "localhost");

const nc = await dial({ servers, tls, timeout: 10_000 });
print("connected", nc.info.tls_required === true, nc.info.tls_verify === true, nc.info.tls_available === true);
const sub = nc.subscribe("over.tls", { max: 3 });
nc.publish("over.tls", "small");
nc.publish("over.tls", "x".repeat(100_000));
nc.publish("over.tls", "y".repeat(1_000_000));
for await (const m of sub) print("received", m.data.length);
print("round trip", (await nc.rtt()) >= 0);
await nc.close();
print("without the authority:", (await refusal(dial({ servers, tls: {}, timeout: 10_000, reconnect: false }))).split(":")[0]);
end();
