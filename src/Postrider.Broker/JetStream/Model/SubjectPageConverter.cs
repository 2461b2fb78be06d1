using System.Text.Json;
using System.Text.Json.Serialization;

namespace Postrider.Broker.JetStream.Model;

/// <summary>Writes subjects with their numbers of messages as an object.</summary>
internal sealed class SubjectPageConverter : JsonConverter<SubjectPage>
{
    /// <summary>Not supported: only responses have subjects.</summary>
    public override SubjectPage Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        => throw new NotSupportedException("The subjects of a stream are written, not read.");

    /// <inheritdoc/>
    public override void Write(Utf8JsonWriter writer, SubjectPage value, JsonSerializerOptions options)
    {
        writer.WriteStartObject();
        for (var place = value.First; place < value.First + value.Count; place++)
            writer.WriteNumber(value.All.NameAt(place), value.All.MessagesAt(place));
        writer.WriteEndObject();
    }
}
