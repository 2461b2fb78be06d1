using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Serialization.Json;

namespace Postrider.Serialization;

/// <summary>Writes and reads one type as JSON, through System.Text.Json and without reflection.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <param name="info">The type's metadata, from a source-generated context: <c>OrderJson.Default.Order</c>.</param>
/// <remarks>Each thread keeps one writer between messages. Thread-safe.</remarks>
public sealed class JsonTypeSerializer<T>(JsonTypeInfo<T> info) : Serializer<T>, IJsonTypeInfo
{
    /// <inheritdoc/>
    public override string ContentType => JsonSerializerProvider.MediaType;

    JsonTypeInfo IJsonTypeInfo.Info => info;

    internal JsonTypeInfo<T> Info => info;

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> output, T value)
    {
        var writer = JsonWriters.Rent(output);
        try
        {
            JsonSerializer.Serialize(writer, value, info);
        }
        catch (JsonException bad)
        {
            throw InvalidValue(JsonErrors.Describe(bad), bad);
        }
        catch (ArgumentException bad) when (JsonErrors.IsOfWriter(bad))
        {
            throw InvalidValue(JsonErrors.Unwritable, bad);
        }
        finally
        {
            JsonWriters.Return(writer);
        }
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> input)
    {
        try
        {
            return JsonSerializer.Deserialize(input, info)!;
        }
        catch (JsonException bad)
        {
            throw InvalidData(JsonErrors.Describe(bad), bad);
        }
        catch (NotSupportedException bad) when (!input.IsEmpty)
        {
            throw InvalidData(JsonErrors.WrongDiscriminator, bad);
        }
    }

    /// <inheritdoc/>
    public override T Read(in ReadOnlySequence<byte> input)
    {
        using var whole = new ContiguousInput(input);
        return Read(whole.Span);
    }
}
