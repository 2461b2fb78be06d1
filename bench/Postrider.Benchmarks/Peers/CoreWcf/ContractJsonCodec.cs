using System.Runtime.InteropServices;
using System.Runtime.Serialization.Json;
using System.Text.Json;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Rpc;
using Postrider.Serialization;

namespace Postrider.Benchmarks.Peers.CoreWcf;

/// <summary>The platform's DataContractJsonSerializer, which WCF's JSON is made by.</summary>
internal sealed class ContractJsonCodec : ICodecPeer
{
    public string Name => "DataContractJsonSerializer";

    public CodecWork ForSmall(string json) => Work<Small>(json);

    public CodecWork ForLarge(string json) => Work<Large>(json);

    private static CodecWork Work<T>(string json)
    {
        var serializer = new DataContractJsonSerializer(typeof(List<T>));
        return new(
            JsonSerializer.Deserialize<List<T>>(json)!,
            (to, items) =>
            {
                using var stream = new BufferWriterStream(to);
                serializer.WriteObject(stream, items);
            },
            bytes =>
            {
                MemoryMarshal.TryGetArray(bytes, out var array);
                using var stream = new MemoryStream(array.Array!, array.Offset, array.Count, writable: false);
                return serializer.ReadObject(stream)!;
            });
    }
}
