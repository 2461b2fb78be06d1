// The shop as a service of grpc-js; it prints its port, then what is cancelled.
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import { print } from "./story.mjs";

const { Shop } = grpc.loadPackageDefinition(loader.loadSync(process.argv[2], { keepCase: true, longs: String, defaults: true })).postrider.shop.v1;

const server = new grpc.Server();
server.addService(Shop.service, {
  Buy(call, done) {
    const { item, quantity, tags, prices } = call.request;
    const headers = new grpc.Metadata();
    headers.set("served-by", "grpc-js");
    call.sendMetadata(headers);
    if (item === "secret") return done({ code: grpc.status.PERMISSION_DENIED, details: "Not for you: größer." });
    if (item === "glass") {
      const trailers = new grpc.Metadata();
      const detail = Buffer.from([0x0a, 5, ...Buffer.from("glass"), 0x10, 3]);
      const type = Buffer.from("type.googleapis.com/postrider.shop.v1.OutOfStock");
      const any = Buffer.from([0x0a, type.length, ...type, 0x12, detail.length, ...detail]);
      trailers.set("grpc-status-details-bin", Buffer.from([0x08, 9, 0x12, 1, 0x6d, 0x1a, any.length, ...any]));
      return done({ code: grpc.status.FAILED_PRECONDITION, details: "Only 3 are left.", metadata: trailers });
    }
    const trailers = new grpc.Metadata();
    trailers.set("trailing", "yes");
    const price = Object.entries(prices).map(([name, value]) => `${name}=${value}`);
    done(null, { number: quantity, text: `${item} ${tags.join("+")} ${price} ${call.metadata.get("tenant")} ${call.getDeadline() !== Infinity}` }, trailers);
  },
  async List(call) {
    for (let i = 1; i <= call.request.most; i++) {
      if (i === 5) return call.emit("error", { code: grpc.status.RESOURCE_EXHAUSTED, details: "4 are enough." });
      call.write({ item: "tea", quantity: i });
      await null;
    }
    call.end();
  },
  Fill(call, done) {
    let number = 0;
    let text = "";
    call.on("data", (order) => {
      number += order.quantity;
      text += order.item;
    });
    call.on("end", () => done(null, { number, text }));
  },
  Trade(call) {
    call.on("data", ({ item, quantity }) => call.write({ number: quantity, text: item }));
    call.on("end", () => call.end());
  },
  Add: (call, done) => done(null, { value: call.request.first + call.request.second }),
  Wait(call) {
    print("waiting");
    call.on("cancelled", () => print("cancelled wait"));
  },
  Tick(call) {
    let tick = 0;
    const timer = setInterval(() => call.write({ value: ++tick }), 1);
    call.on("cancelled", () => {
      clearInterval(timer);
      print("cancelled tick");
    });
  },
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  print(port);
});
process.stdin.on("end", () => process.exit(0)).resume();
