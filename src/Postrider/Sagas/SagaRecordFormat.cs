using System.Buffers;
using System.Text.Json;
using Postrider.Envelopes;

namespace Postrider.Sagas;

/// <summary>Writes and reads the stored form of a saga: JSON, in which a state in JSON is readable.</summary>
internal static class SagaRecordFormat
{
    private const string Json = "application/json";

    internal static ReadOnlyMemory<byte> Write(SagaRecord record)
    {
        var output = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(output))
        {
            writer.WriteStartObject();
            writer.WriteNumber("version", record.Version);
            if (record.StartedAt is { } started)
                writer.WriteString("startedAt", started);
            writer.WriteString("storedAt", record.StoredAt);
            if (record.IsCompleted)
                writer.WriteBoolean("completed", true);
            else
                WriteState(writer, record);
            writer.WriteStartArray("handled");
            foreach (var id in record.Handled)
                writer.WriteStringValue(id);
            writer.WriteEndArray();
            writer.WriteStartObject("timeouts");
            foreach (var (name, version) in record.Timeouts)
                writer.WriteNumber(name, version);
            writer.WriteEndObject();
            writer.WriteStartArray("pending");
            foreach (var message in record.Pending)
                WritePending(writer, message);
            writer.WriteEndArray();
            writer.WriteEndObject();
        }

        return output.WrittenMemory;
    }

    /// <exception cref="PostriderException"><see cref="PostriderError.Codec"/>: the bytes are not a saga.</exception>
    internal static SagaRecord Read(ReadOnlyMemory<byte> data, string saga, string id)
    {
        try
        {
            using var document = JsonDocument.Parse(data);
            var root = document.RootElement;
            return new()
            {
                Version = root.GetProperty("version").GetInt64(),
                StartedAt = root.TryGetProperty("startedAt", out var started) ? started.GetDateTimeOffset() : null,
                StoredAt = root.GetProperty("storedAt").GetDateTimeOffset(),
                IsCompleted = root.TryGetProperty("completed", out var completed) && completed.GetBoolean(),
                ContentType = root.TryGetProperty("contentType", out var contentType) ? contentType.GetString() : null,
                State = ReadState(root),
                Handled = [.. root.GetProperty("handled").EnumerateArray().Select(static handled => handled.GetString()!)],
                Timeouts = root.GetProperty("timeouts").EnumerateObject().ToDictionary(static timeout => timeout.Name, static timeout => timeout.Value.GetInt64(), StringComparer.Ordinal),
                Pending = [.. root.GetProperty("pending").EnumerateArray().Select(ReadPending)],
            };
        }
        catch (Exception unreadable) when (unreadable is JsonException or KeyNotFoundException or InvalidOperationException or FormatException)
        {
            throw new PostriderException(PostriderError.Codec, $"The stored state of saga '{saga}' with id '{id}' is not readable: {unreadable.Message}", unreadable);
        }
    }

    private static void WriteState(Utf8JsonWriter writer, SagaRecord record)
    {
        writer.WriteString("contentType", record.ContentType);
        if (record.ContentType == Json)
        {
            writer.WritePropertyName("state");
            writer.WriteRawValue(record.State.Span, skipInputValidation: true);
        }
        else
        {
            writer.WriteBase64String("bytes", record.State.Span);
        }
    }

    private static ReadOnlyMemory<byte> ReadState(JsonElement root)
    {
        if (root.TryGetProperty("bytes", out var bytes))
            return bytes.GetBytesFromBase64();
        return root.TryGetProperty("state", out var state) ? System.Text.Encoding.UTF8.GetBytes(state.GetRawText()) : default(ReadOnlyMemory<byte>);
    }

    private static void WritePending(Utf8JsonWriter writer, PendingMessage message)
    {
        var headers = new Headers();
        message.Properties.WriteTo(headers);
        writer.WriteStartObject();
        writer.WriteString("type", message.Type);
        if (message.DueAt is { } due)
            writer.WriteString("due", due);
        if (message.Properties.DeduplicationId is { } repetition)
            writer.WriteString("repetition", repetition);
        writer.WriteStartArray("headers");
        foreach (var (name, value) in headers)
        {
            writer.WriteStringValue(name);
            writer.WriteStringValue(value);
        }

        writer.WriteEndArray();
        writer.WriteBase64String("body", message.Body.Span);
        writer.WriteEndObject();
    }

    private static PendingMessage ReadPending(JsonElement message)
    {
        var headers = new Headers();
        string? name = null;
        foreach (var text in message.GetProperty("headers").EnumerateArray())
        {
            if (name is null)
                name = text.GetString()!;
            else
            {
                headers.Add(name, text.GetString()!);
                name = null;
            }
        }

        var properties = MessageProperties.From(headers) with { DeduplicationId = message.TryGetProperty("repetition", out var repetition) ? repetition.GetString() : null };
        return new(
            message.GetProperty("type").GetString()!, properties, message.GetProperty("body").GetBytesFromBase64(),
            message.TryGetProperty("due", out var due) ? due.GetDateTimeOffset() : null);
    }
}
