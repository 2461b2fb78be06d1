using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;
using Postrider.Serialization;
using Postrider.Serialization.Json;

namespace Postrider.Rpc.Codecs.Json;

/// <summary>Parameters as an object. A missing one keeps its default; an unknown one is skipped.</summary>
internal sealed class JsonArguments<TFirst, TRest>(string name, JsonTypeInfo<TFirst> first, IJsonArguments<TRest>? rest, int maxDepth)
    : Serializer<RpcArguments<TFirst, TRest>>, IJsonArguments<RpcArguments<TFirst, TRest>>, IJsonArgumentTypes
{
    private readonly JsonEncodedText _name = JsonEncodedText.Encode(name);

    private readonly ArgumentSlot _slot = new(name, rest?.Count ?? 0);

    public int Count => (rest?.Count ?? 0) + 1;

    public override string ContentType => JsonSerializerProvider.MediaType;

    public override void Write(IBufferWriter<byte> output, RpcArguments<TFirst, TRest> value)
    {
        var writer = JsonWriters.Rent(output);
        try
        {
            writer.WriteStartObject();
            WriteProperties(writer, value);
            writer.WriteEndObject();
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

    public override RpcArguments<TFirst, TRest> Read(in ReadOnlySequence<byte> input)
    {
        using var whole = new ContiguousInput(input);
        return Read(whole.Span);
    }

    public override RpcArguments<TFirst, TRest> Read(ReadOnlySpan<byte> input)
    {
        try
        {
            var reader = new Utf8JsonReader(input, new JsonReaderOptions { MaxDepth = maxDepth });
            if (!reader.Read() || reader.TokenType != JsonTokenType.StartObject)
                throw InvalidData("The parameters are not a JSON object.");
            RpcArguments<TFirst, TRest> value = default;
            ulong seen = 0;
            while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
            {
                var property = reader.GetString()!;
                reader.Read();
                if (!TryRead(property, ref reader, ref value, ref seen))
                    reader.Skip();
            }

            return reader.Read() ? throw InvalidData("Unexpected data after the JSON object.") : value;
        }
        catch (JsonException bad)
        {
            throw InvalidData(JsonErrors.Describe(bad), bad);
        }
        catch (InvalidOperationException bad)
        {
            // The unescaped text is not valid UTF-16.
            throw InvalidData("A string in the JSON object is not valid Unicode.", bad);
        }
    }

    public IEnumerable<KeyValuePair<string, JsonTypeInfo>> Parts() => [new(name, first), .. rest is IJsonArgumentTypes more ? more.Parts() : []];

    public void WriteProperties(Utf8JsonWriter writer, in RpcArguments<TFirst, TRest> value)
    {
        writer.WritePropertyName(_name);
        JsonSerializer.Serialize(writer, value.First, first);
        rest?.WriteProperties(writer, value.Rest);
    }

    public bool TryRead(string property, ref Utf8JsonReader reader, ref RpcArguments<TFirst, TRest> value, ref ulong seen)
    {
        if (!string.Equals(property, name, StringComparison.OrdinalIgnoreCase))
            return rest?.TryRead(property, ref reader, ref value.Rest, ref seen) ?? false;
        _slot.MarkSeen(ref seen);
        try
        {
            value.First = JsonSerializer.Deserialize(ref reader, first)!;
        }
        catch (JsonException bad)
        {
            throw InvalidData($"Parameter '{name}': {JsonErrors.Describe(bad)}", bad);
        }
        catch (NotSupportedException bad)
        {
            throw InvalidData(JsonErrors.WrongDiscriminator, bad);
        }

        return true;
    }
}
