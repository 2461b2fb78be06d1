using System.Buffers;
using Newtonsoft.Json;
using Postrider.Rpc.Codecs;

namespace Postrider.Rpc.Newtonsoft;

/// <summary>Parameters as an object. One that is missing keeps its default; one that nobody knows is passed over.</summary>
internal sealed class NewtonsoftArguments<TFirst, TRest>(string name, INewtonsoftProperties<TRest>? rest, JsonForm form)
    : RpcFormatter<Arguments<TFirst, TRest>>, INewtonsoftProperties<Arguments<TFirst, TRest>>
{
    private readonly ArgumentPlace _place = new(name, rest?.Count ?? 0);

    public int Count => (rest?.Count ?? 0) + 1;

    public override void Write(IBufferWriter<byte> output, Arguments<TFirst, TRest> value)
        => JsonForm.Write(output, value, (writer, parts) =>
        {
            writer.WriteStartObject();
            WriteProperties(writer, parts);
            writer.WriteEndObject();
        });

    public override Arguments<TFirst, TRest> Read(in ReadOnlySequence<byte> input) => form.Read(input, ReadAll);

    public void WriteProperties(JsonTextWriter writer, in Arguments<TFirst, TRest> value)
    {
        writer.WritePropertyName(name);
        form.Serializer.Serialize(writer, value.First, typeof(TFirst));
        rest?.WriteProperties(writer, value.Rest);
    }

    public bool TryRead(string property, JsonTextReader reader, ref Arguments<TFirst, TRest> value, ref ulong seen)
    {
        if (!string.Equals(property, name, StringComparison.OrdinalIgnoreCase))
            return rest?.TryRead(property, reader, ref value.Rest, ref seen) ?? false;
        _place.Take(ref seen);
        value.First = form.Serializer.Deserialize<TFirst>(reader)!;
        return true;
    }

    private Arguments<TFirst, TRest> ReadAll(JsonTextReader reader)
    {
        if (reader.TokenType != JsonToken.StartObject)
            throw new RpcException(RpcStatus.InvalidData, "The parameters are no JSON object.");
        Arguments<TFirst, TRest> value = default;
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

    // At the end of the input the reader keeps its last token and throws nothing.
    private static JsonToken Next(JsonTextReader reader)
        => reader.Read() ? reader.TokenType : throw new RpcException(RpcStatus.InvalidData, "The JSON object does not end.");
}
