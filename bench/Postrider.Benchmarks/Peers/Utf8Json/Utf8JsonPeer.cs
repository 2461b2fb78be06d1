using System.Text.Json;
using Postrider.Benchmarks.MessagePack;
using Codec = global::Utf8Json.JsonSerializer;

namespace Postrider.Benchmarks.Peers.Utf8Json;

/// <summary>Utf8Json as it comes.</summary>
public sealed class Utf8JsonPeer : ICodecPeer
{
    /// <inheritdoc/>
    public string Name => "Utf8Json";

    /// <inheritdoc/>
    public CodecWork ForSmall(string json) => Work<Small>(json);

    /// <inheritdoc/>
    public CodecWork ForLarge(string json) => Work<Large>(json);

    private static CodecWork Work<T>(string json)
    {
        var items = JsonSerializer.Deserialize<List<T>>(json)!;
        return new(items, Write, Read);

        static void Write(System.Buffers.IBufferWriter<byte> to, object list)
        {
            // Its writer keeps to a buffer of its own, which this leaves without a copy of the whole.
            var bytes = Codec.SerializeUnsafe((List<T>)list);
            System.Buffers.BuffersExtensions.Write(to, bytes);
        }

        static object Read(ReadOnlyMemory<byte> bytes)
        {
            System.Runtime.InteropServices.MemoryMarshal.TryGetArray(bytes, out var array);

            // It reads to the end of the array it is given, whose rest is a pool's.
            if (array.Offset == 0 && array.Count < array.Array!.Length)
                array.Array[array.Count] = (byte)' ';
            return Codec.Deserialize<List<T>>(array.Array!, array.Offset);
        }
    }
}
