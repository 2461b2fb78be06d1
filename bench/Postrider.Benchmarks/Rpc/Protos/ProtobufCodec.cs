using System.Text.Json;
using Google.Protobuf;
using Postrider.Benchmarks.MessagePack;

namespace Postrider.Benchmarks.Rpc.Protos;

/// <summary>Google.Protobuf: what is sent and received are its own messages, as its users have them.</summary>
internal sealed class ProtobufCodec : ICodecPeer
{
    public string Name => "Google.Protobuf";

    public CodecWork ForSmall(string json) => new(
        ProtoItems.Of(JsonSerializer.Deserialize<List<Small>>(json)!),
        (to, message) => ((SmallItems)message).WriteTo(to),
        bytes => SmallItems.Parser.ParseFrom(bytes.Span),
        new(message => ((SmallItems)message).Items.Count, message => ProtoItems.Of((SmallItems)message)));

    public CodecWork ForLarge(string json) => new(
        ProtoItems.Of(JsonSerializer.Deserialize<List<Large>>(json)!),
        (to, message) => ((LargeItems)message).WriteTo(to),
        bytes => LargeItems.Parser.ParseFrom(bytes.Span),
        new(message => ((LargeItems)message).Items.Count, message => ProtoItems.Of((LargeItems)message)));
}
