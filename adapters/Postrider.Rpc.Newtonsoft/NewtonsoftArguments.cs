using System.Buffers;
using Newtonsoft.Json;
using Postrider.Rpc.Codecs;
using Postrider.Serialization;
using Postrider.Serialization.Newtonsoft;

namespace Postrider.Rpc.Newtonsoft;

/// <summary>Parameters as an object. A missing one keeps its default; an unknown one is skipped.</summary>
internal sealed class NewtonsoftArguments<TFirst, TRest>(string name, INewtonsoftArguments<TRest>? rest, NewtonsoftJson json)
    : Serializer<RpcArguments<TFirst, TRest>>, INewtonsoftArguments<RpcArguments<TFirst, TRest>>
{
    private readonly ArgumentSlot _slot = new(name, rest?.Count ?? 0);

    public int Count => (rest?.Count ?? 0) + 1;

    public override string ContentType => NewtonsoftSerializerProvider.MediaType;

    public override void Write(IBufferWriter<byte> output, RpcArguments<TFirst, TRest> value)
        => NewtonsoftJson.Write(output, value, (writer, parts) =>
        {
            writer.WriteStartObject();
            WriteProperties(writer, parts);
            writer.WriteEndObject();
        });

    public override RpcArguments<TFirst, TRest> Read(ReadOnlySpan<byte> input) => Read(new ReadOnlySequence<byte>(input.ToArray()));

    public override RpcArguments<TFirst, TRest> Read(in ReadOnlySequence<byte> input) => json.Read(input, ReadAll);

    public void WriteProperties(JsonTextWriter writer, in RpcArguments<TFirst, TRest> value)
    {
        writer.WritePropertyName(name);
        json.Serializer.Serialize(writer, value.First, typeof(TFirst));
        rest?.WriteProperties(writer, value.Rest);
    }

    public bool TryRead(string property, JsonTextReader reader, ref RpcArguments<TFirst, TRest> value, ref ulong seen)
    {
        if (!string.Equals(property, name, StringComparison.OrdinalIgnoreCase))
            return rest?.TryRead(property, reader, ref value.Rest, ref seen) ?? false;
        _slot.MarkSeen(ref seen);
        value.First = json.Serializer.Deserialize<TFirst>(reader)!;
        return true;
    }

    private RpcArguments<TFirst, TRest> ReadAll(JsonTextReader reader)
    {
        if (reader.TokenType != JsonToken.StartObject)
            throw InvalidData("The parameters are not a JSON object.");
        RpcArguments<TFirst, TRest> value = default;
        ulong seen = 0;
        while (Next(reader) == JsonToken.PropertyName)
        {
            var property = (string)reader.Value!;
            Next(reader);
            if (!TryRead(property, reader, ref value, ref seen))
                reader.Skip();
        }

        return value;
    }

    // At the end of the input, the reader keeps its last token and throws nothing.
    private static JsonToken Next(JsonTextReader reader)
        => reader.Read() ? reader.TokenType : throw new RpcException(RpcStatus.InvalidData, "The JSON object is incomplete.");
}
