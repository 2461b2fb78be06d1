using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace Postrider.Rpc.Codecs.Json;

/// <summary>One value.</summary>
/// <typeparam name="T">The type of the value.</typeparam>
internal sealed class JsonFormatter<T>(JsonTypeInfo<T> info) : RpcFormatter<T>, IJsonTypeInfo
{
    public JsonTypeInfo<T> Info => info;

    JsonTypeInfo IJsonTypeInfo.Info => info;

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
        catch (ArgumentException bad) when (JsonWriters.IsOfWriter(bad))
        {
            throw JsonWriters.Unwritable(bad);
        }
        finally
        {
            JsonWriters.Return(writer);
        }
    }

    public override T Read(in ReadOnlySequence<byte> input)
    {
        using var whole = new ContiguousInput(input);
        try
        {
            return JsonSerializer.Deserialize(whole.Span, info)!;
        }
        catch (JsonException bad)
        {
            throw JsonWriters.Unreadable(bad);
        }
        catch (NotSupportedException bad) when (!whole.Span.IsEmpty)
        {
            throw JsonWriters.Unreadable(bad);
        }
    }
}
