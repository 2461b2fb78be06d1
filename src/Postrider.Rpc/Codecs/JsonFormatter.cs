using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Postrider.Rpc.Codecs;

/// <summary>One value.</summary>
/// <typeparam name="T">Its type.</typeparam>
internal sealed class JsonFormatter<T>(JsonTypeInfo<T> info) : RpcFormatter<T>, IJsonTyped
{
    public JsonTypeInfo<T> Info => info;

    JsonTypeInfo IJsonTyped.Info => info;

    public override void Write(IBufferWriter<byte> output, T value)
    {
        var writer = JsonWriters.Rent(output);
        try
        {
            JsonSerializer.Serialize(writer, value, info);
        }
        catch (JsonException bad)
        {
            throw JsonWriters.Unreadable(bad);
        }
        finally
        {
            JsonWriters.Return(writer);
        }
    }

    public override T Read(in ReadOnlySequence<byte> input)
    {
        try
        {
            if (input.IsSingleSegment)
                return JsonSerializer.Deserialize(input.FirstSpan, info)!;
            var reader = new Utf8JsonReader(input, new JsonReaderOptions { MaxDepth = info.Options.MaxDepth });
            var value = JsonSerializer.Deserialize(ref reader, info)!;

            // Reading on finds what follows the value: the serializer leaves the reader at its end.
            return reader.Read() ? throw new RpcException(RpcStatus.InvalidData, "Something follows the JSON value.") : value;
        }
        catch (JsonException bad)
        {
            throw JsonWriters.Unreadable(bad);
        }
    }
}
