using System.Text.Json;
using System.Text.Json.Serialization;
using Postrider.MessagePack;
using Postrider.Rpc;
using Postrider.Rpc.Soap;
using Postrider.Xml;

namespace Postrider.Samples.StockDesk;

/// <summary>The formats of the contract's messages.</summary>
internal static class Forms
{
    public static RpcCodec Json { get; } = new RpcJsonCodec(StockJson.Default);

    public static RpcCodec MessagePack { get; } = new RpcMessagePackCodec(StockMessages.Default);

    public static RpcCodec Xml { get; } = new RpcXmlCodec(StockXml.Default);
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ReserveStock))]
[JsonSerializable(typeof(Reservation))]
[JsonSerializable(typeof(SoldOut))]
internal sealed partial class StockJson : JsonSerializerContext;

[MessagePackSerializable(typeof(ReserveStock))]
[MessagePackSerializable(typeof(Reservation))]
[MessagePackSerializable(typeof(SoldOut))]
internal sealed partial class StockMessages : MessagePackContext;

[XmlSerializable(typeof(IStock))]
internal sealed partial class StockXml : XmlContext;
