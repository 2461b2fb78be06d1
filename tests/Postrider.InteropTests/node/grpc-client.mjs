// grpc-js calls the shop at the address that is the first argument.
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import { print } from "./story.mjs";

const file = loader.loadSync(process.argv[3], { keepCase: true, longs: String, bytes: String });
const { Shop, OutOfStock } = grpc.loadPackageDefinition(file).postrider.shop.v1;
const shop = new Shop(process.argv[2], grpc.credentials.createInsecure());
const patient = () => ({ deadline: Date.now() + 60_000 });

const call = (method, request, metadata = new grpc.Metadata(), options = patient()) =>
  new Promise((resolve) => {
    let headers;
    const under = shop[method](request, metadata, options, (error, answer) => resolve({ error, answer, headers, under }));
    under.on("metadata", (m) => (headers = m));
  });
const told = ({ code, details }) => `${code} ${details}`;

// A varint, a string and bytes are all that a google.rpc.Status with one detail has.
function fields(bytes) {
  const found = {};
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at++];
    let value = 0;
    for (let shift = 0, one = 0x80; one >= 0x80; shift += 7) {
      one = bytes[at++];
      value |= (one & 0x7f) << shift;
    }
    if ((tag & 7) === 2) {
      found[tag >> 3] = bytes.subarray(at, at + value);
      at += value;
    } else found[tag >> 3] = value;
  }
  return found;
}

const metadata = new grpc.Metadata();
metadata.set("tenant", "north");
const order = { item: "tea", quantity: 2, tags: ["a", "b"], prices: { eur: "5000000000" }, card: Buffer.from([1, 2]) };
const bought = await call("Buy", order, metadata);
print("unary", JSON.stringify(bought.answer), "headers", bought.headers.get("served-by"));
print("scalars", JSON.stringify((await call("Add", { first: -2, second: 44 })).answer));

const refused = (await call("Buy", { item: "glass" })).error;
const status = fields(refused.metadata.get("grpc-status-details-bin")[0]);
const any = fields(status[3]);
const detail = fields(any[2]);
print("fault", told(refused), "|", status[1], String(status[2]), "|", String(any[1]), String(detail[1]), detail[2], typeof OutOfStock.type);
print("status", told((await call("Buy", { item: "secret" })).error));
print("internal", told((await call("Buy", { item: "bug" })).error));

const listed = await new Promise((resolve) => {
  const items = [];
  shop.List({ most: 9 }, patient()).on("data", (o) => items.push(`${o.item} ${o.quantity}`)).on("error", (e) => resolve(`${items} ${told(e)}`));
});
print("server stream", listed);
const whole = await new Promise((resolve) => {
  let count = 0;
  shop.List({ most: 3 }, patient()).on("data", () => count++).on("end", () => resolve(count));
});
print("server stream to its end", whole);

const filled = await new Promise((resolve) => {
  const orders = shop.Fill(patient(), (error, answer) => resolve(error ? told(error) : JSON.stringify(answer)));
  for (let i = 0; i < 1000; i++) orders.write({ item: i % 250 ? "" : "x", quantity: i });
  orders.end();
});
print("client stream", filled);

const traded = await new Promise((resolve, reject) => {
  const heard = [];
  const trade = shop.Trade(patient());
  trade.on("data", (receipt) => {
    heard.push(receipt.text);
    if (heard.length === 3) trade.end();
    else trade.write({ item: `after ${receipt.text}` });
  });
  trade.on("end", () => resolve(heard.join(", "))).on("error", reject);
  trade.write({ item: "tea" });
});
print("duplex", traded);

// Either end may be the first to find it over, each in its own words.
print("deadline", (await call("Wait", {}, new grpc.Metadata(), { deadline: Date.now() + 500 })).error.code);

const cancelled = await new Promise((resolve) => {
  const ticks = shop.Tick({});
  ticks.on("data", (tick) => tick.value === 3 && ticks.cancel()).on("error", (e) => resolve(told(e)));
});
print("cancel", cancelled);

const Nowhere = grpc.makeClientConstructor({ Nothing: { ...Shop.service.Add, path: "/postrider.shop.v1.Shop/Nothing" } }, "Shop");
const nowhere = new Nowhere(process.argv[2], grpc.credentials.createInsecure());
print("unknown operation", await new Promise((resolve) => nowhere.Nothing({}, patient(), (error) => resolve(told(error)))));
nowhere.close();

const many = await Promise.all([...Array(500).keys()].map((i) => call("Add", { first: i, second: 1 })));
print("at once", many.every(({ answer }, i) => answer?.value === i + 1));
shop.close();
process.exit(0);
