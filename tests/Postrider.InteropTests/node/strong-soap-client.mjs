// npm's strong-soap calls the store from its WSDL.
import strongSoap from "strong-soap";

const [address] = process.argv.slice(2);
const client = await new Promise((resolve, reject) =>
  strongSoap.soap.createClient(`${address}?singleWsdl`, {}, (error, made) => (error ? reject(error) : resolve(made))));
const port = client.Store.StoreSoap;
const call = (name, body) => new Promise((resolve, reject) => port[name](body, (error, result, raw) => (error ? reject(error) : resolve({ ...result, raw }))));
const fault = async (body) => {
  try {
    await call("Buy", body);
    return {};
  } catch (error) {
    return error.root.Envelope.Body.Fault;
  }
};

console.log("add", (await call("Add", { a: 40, b: 2 })).AddResult);
const goods = {
  Id: "00112233-4455-6677-8899-aabbccddeeff",
  Name: "Grüße & <Küsse>",
  Price: "12.5",
  Made: "2026-01-02T03:04:05Z",
  Left: null,
  Size: "very-large",
  Picture: Buffer.from([0, 1, 2, 255]).toString("base64"),
  Parts: { Part: [{ Label: "a", Number: "1" }, { Label: "b", Number: "9007199254740993" }] },
  IsFragile: true,
  Weight: 1.5,
};
const answer = await call("Echo", { goods });
const back = answer.EchoResult;
console.log("id", back.Id);
console.log("name", back.Name);
console.log("price", String(back.Price));
console.log("made", new Date(back.Made).toISOString().replace(".000", ""));
console.log("left", back.Left);
console.log("size", back.Size);
console.log("picture", Buffer.from(back.Picture, "base64").toString("hex"));
// Number is a double there: the digits are taken from the envelope.
const numbers = [...answer.raw.matchAll(/Number>(\d+)</g)].map((m) => m[1]);
console.log("parts", back.Parts.Part.map((p, i) => `${p.Label}=${numbers[i]}`).join(" "));
console.log("fragile", back.IsFragile);
console.log("weight", Number(back.Weight));
console.log("reverse", (await call("Reverse", { items: { string: ["a", "b", "c"] } })).ReverseResult.string.join(","));
console.log("bought", (await call("Buy", { item: "tea", count: 2 })).BuyResult);
const told = await fault({ item: "tea", count: 4 });
const text = (f) => f.faultstring.$value;
console.log("fault", text(told), "/", told.detail.SoldOut.Item, told.detail.SoldOut.Left);
console.log("refused", text(await fault({ item: "tea", count: -1 })));
console.log("failed", text(await fault({ item: "tea", count: 0 })));
client.addSoapHeader({ Tenant: "north" }, { nsURI: "urn:postrider:store", name: "Tenant" });
console.log("tenant", (await call("WhoAmI", {})).WhoAmIResult);
