// Learns a server's services from its reflection and calls one with a client made of nothing else. The address is the first
// argument, reflection.proto the second.
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";
import { print } from "./story.mjs";

const { ServerReflection } = grpc.loadPackageDefinition(loader.loadSync(process.argv[3], { keepCase: true })).grpc.reflection.v1;
const credentials = grpc.credentials.createInsecure();
const reflection = new ServerReflection(process.argv[2], credentials);
const questions = reflection.ServerReflectionInfo({ deadline: Date.now() + 60_000 });
const ask = (question) => new Promise((resolve, reject) => {
  questions.once("data", resolve).once("error", reject);
  questions.write(question);
});

const { list_services_response: listed } = await ask({ list_services: "" });
print("services", listed.service.map(({ name }) => name).join(" "));
const { error_response: error } = await ask({ file_containing_symbol: "postrider.shop.v1.Nowhere" });
print("unknown", error.error_code);
const { file_descriptor_response: found } = await ask({ file_containing_symbol: "postrider.shop.v1.Shop" });
questions.end();

// A FileDescriptorSet is the files one after the other, each as field 1.
const files = found.file_descriptor_proto.flatMap((file) => {
  const head = [0x0a];
  for (let length = file.length; ; length >>= 7) {
    head.push((length & 0x7f) | (length > 0x7f ? 0x80 : 0));
    if (length <= 0x7f) break;
  }
  return [Buffer.from(head), file];
});
const { Shop } = grpc.loadPackageDefinition(loader.loadFileDescriptorSetFromBuffer(Buffer.concat(files))).postrider.shop.v1;
print("operations", Object.keys(Shop.service).join(" "));
const shop = new Shop(process.argv[2], credentials);
print("sum", await new Promise((resolve) => shop.Add({ first: 40, second: 2 }, { deadline: Date.now() + 60_000 }, (failure, sum) => resolve(failure?.message ?? sum.value))));
process.exit(0);
