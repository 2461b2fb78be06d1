using System.Text;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Text;

/// <summary>Converts an enumeration to the names of <see cref="JsonStringEnumMemberNameAttribute"/>; other names are rejected
/// in nats-server's words.</summary>
/// <remarks>Source: nats-server, observed.</remarks>
internal class EnumStringConverter<T> : JsonConverter<T>
    where T : struct, Enum
{
    private static readonly (T Value, string Word)[] Words = ReadWords();

    /// <inheritdoc/>
    public override bool HandleNull => true;

    /// <summary>Whether names are case-sensitive.</summary>
    protected virtual StringComparison Comparison => StringComparison.Ordinal;

    /// <inheritdoc/>
    public override T Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
    {
        if (reader.TokenType == JsonTokenType.String)
        {
            var text = reader.GetString();
            foreach (var (value, word) in Words)
            {
                if (string.Equals(text, word, Comparison)) return value;
            }
            if (TryOther(text!, out var other)) return other;
        }
        using var document = JsonDocument.ParseValue(ref reader);
        throw new UnknownEnumValueException(Refusal(document.RootElement.GetRawText()));
    }

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options)
        => writer.WriteStringValue(Array.Find(Words, pair => EqualityComparer<T>.Default.Equals(pair.Value, value)).Word);

    /// <summary>Reads other names than those of the attribute.</summary>
    protected virtual bool TryOther(string text, out T value)
    {
        value = default;
        return false;
    }

    /// <summary>The error for an unknown name.</summary>
    /// <param name="json">The name, as it was sent.</param>
    protected virtual string Refusal(string json) => $"can not unmarshal {GoQuote.Quote(json)}";

    private static (T Value, string Word)[] ReadWords()
    {
        var options = new JsonSerializerOptions();
        var names = (JsonConverter<T>)new JsonStringEnumConverter<T>().CreateConverter(typeof(T), options);
        return Array.ConvertAll(Enum.GetValues<T>(), value =>
        {
            using var bytes = new MemoryStream();
            using (var writer = new Utf8JsonWriter(bytes)) names.Write(writer, value, options);
            return (value, Encoding.UTF8.GetString(bytes.ToArray()).Trim('"'));
        });
    }
}
