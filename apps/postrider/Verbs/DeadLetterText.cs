using System.Globalization;
using System.Text;
using System.Text.Json;
using Postrider.Transports;

namespace Postrider.CommandLine.Verbs;

/// <summary>Dead letters as text: for people and as JSON.</summary>
internal static class DeadLetterText
{
    internal static TextTable Table() => new TextTable(" Id", "Stored", "Reason", "Origin", " Deliveries", " Size", "Error").Mark("Reason", static _ => CellState.Bad);

    internal static void AddTo(TextTable table, DeadLetterMessage letter) => table.Add(
        letter.Id,
        (letter.StoredAt is { } time ? StreamText.Time(time) : null) ?? "",
        letter.Reason?.ToString() ?? "",
        letter.Origin ?? "",
        letter.Deliveries?.ToString(CultureInfo.InvariantCulture) ?? "",
        ByteSize.Text(letter.Body.Length),
        letter.Error ?? "");

    internal static string Json(DeadLetterMessage letter) => JetStreamText.Write(writer =>
    {
        writer.WriteString("id", letter.Id);
        writer.WriteString("source", letter.Source);
        if (letter.StoredAt is { } time)
            writer.WriteString("time", time);
        writer.WriteString("reason", letter.Reason?.ToString());
        writer.WriteString("origin", letter.Origin);
        if (letter.Deliveries is { } deliveries)
            writer.WriteNumber("deliveries", deliveries);
        writer.WriteString("error", letter.Error);
        WriteHeaders(writer, letter.Headers);
        JetStreamText.WriteData(writer, letter.Body.ToArray());
    });

    internal static string Readable(DeadLetterMessage letter)
    {
        var text = new StringBuilder($"[{letter.Id}] {letter.Source}: {Quantity.Of(letter.Body.Length, "byte")}\n");
        foreach (var (name, value) in letter.Headers)
            text.Append($"{name}: {value}\n");
        var body = letter.Body.ToArray();
        return text.Append('\n').Append(JetStreamText.Text(body) ?? Convert.ToHexStringLower(body)).ToString();
    }

    private static void WriteHeaders(Utf8JsonWriter writer, Headers headers)
    {
        writer.WriteStartObject("headers");
        foreach (var name in headers.Select(static header => header.Key).Distinct(StringComparer.OrdinalIgnoreCase))
        {
            writer.WriteStartArray(name);
            foreach (var value in headers.GetValues(name))
                writer.WriteStringValue(value);
            writer.WriteEndArray();
        }

        writer.WriteEndObject();
    }
}
