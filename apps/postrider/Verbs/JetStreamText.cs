using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Consuming;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider.Client.Payloads;

namespace Postrider.CommandLine.Verbs;

/// <summary>What JetStream's verbs show.</summary>
internal static class JetStreamText
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private static readonly JsonWriterOptions OneLine = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    internal static string Line(StreamInfo info)
        => string.Create(CultureInfo.InvariantCulture, $"{info.Config.Name,-24} {info.State.Messages,12:N0} messages {info.State.Bytes,14:N0} bytes  {string.Join(' ', info.Config.Subjects ?? [])}");

    internal static string Line(ConsumerInfo info)
        => string.Create(CultureInfo.InvariantCulture, $"{info.Name,-24} {info.PendingCount,12:N0} to deliver {info.AckPendingCount,8:N0} to acknowledge");

    internal static string Readable(StreamInfo info)
    {
        var (config, state) = (info.Config, info.State);
        var text = new StringBuilder();
        Row(text, "Name", config.Name);
        Row(text, "Description", config.Description);
        Row(text, "Subjects", string.Join(", ", config.Subjects ?? []));
        Row(text, "Mirror of", config.Mirror?.Name);
        Row(text, "Sources", config.Sources is { Count: > 0 } sources ? string.Join(", ", sources.Select(source => source.Name)) : null);
        Row(text, "Kept", $"{config.Retention}, {config.Storage}, {config.Replicas} replica(s), {Limits(config)}");
        Row(text, "Cluster", info.Cluster is { Leader: not null } cluster ? $"led by {cluster.Leader}, {cluster.Replicas?.Count(replica => replica.Current) ?? 0} other(s) current" : null);
        Row(text, "Messages", Number(state.Messages));
        Row(text, "Bytes", Number(state.Bytes));
        Row(text, "Sequences", $"{Number(state.FirstSequence)} to {Number(state.LastSequence)}");
        Row(text, "Consumers", Number((ulong)state.ConsumerCount));
        Row(text, "Subjects in", Number((ulong)state.SubjectCount));
        foreach (var (subject, count) in state.Subjects ?? new Dictionary<string, ulong>())
            Row(text, "", $"{subject}: {Number(count)}");
        return text.ToString().TrimEnd();
    }

    internal static string Readable(ConsumerInfo info)
    {
        var config = info.Config;
        var text = new StringBuilder();
        Row(text, "Name", $"{info.Name} of {info.StreamName}");
        Row(text, "Description", config.Description);
        Row(text, "Filter", config.FilterSubjects is { Count: > 0 } filters ? string.Join(", ", filters) : config.FilterSubject);
        Row(text, "Pushes to", config.DeliverSubject);
        Row(text, "Begins at", config.DeliverPolicy.ToString());
        Row(text, "Acks", $"{config.AckPolicy}, within {Duration.Show(config.AckWait)}, at most {Number(config.MaxAckPending)} open");
        Row(text, "Delivered", $"{Number(info.Delivered.ConsumerSequence)} times, up to sequence {Number(info.Delivered.StreamSequence)}");
        Row(text, "Acked up to", $"sequence {Number(info.AckFloor.StreamSequence)}");
        Row(text, "To deliver", Number(info.PendingCount));
        Row(text, "To ack", $"{Number((ulong)info.AckPendingCount)}, of which {Number((ulong)info.RedeliveredCount)} delivered again");
        Row(text, "Waiting", $"{Number((ulong)info.WaitingCount)} pull(s)");
        Row(text, "Paused", info.Paused ? $"for {Duration.Show(info.PauseRemaining)}" : null);
        return text.ToString().TrimEnd();
    }

    internal static string Readable(StoredMessage<byte[]> message) => Readable(message.Subject, message.Sequence, message.Time, message.Headers, message.Data);

    internal static string Readable(in JetStreamMessage<byte[]> message) => Readable(message.Subject, message.Sequence, message.Metadata.Time, message.Headers, message.Data);

    internal static string Json(StoredMessage<byte[]> message) => Json(message.Subject, message.Sequence, message.Time, message.Headers, message.Data);

    internal static string Json(in JetStreamMessage<byte[]> message) => Json(message.Subject, message.Sequence, message.Metadata.Time, message.Headers, message.Data);

    internal static string Readable(KeyValueStatus status)
    {
        var text = new StringBuilder();
        Row(text, "Bucket", status.Bucket);
        Row(text, "Values", Number(status.Values));
        Row(text, "Bytes", Number(status.Bytes));
        Row(text, "History", Number((ulong)status.History));
        Row(text, "Kept for", status.TimeToLive == TimeSpan.Zero ? "ever" : status.TimeToLive.ToString());
        Row(text, "Storage", $"{status.Stream.Config.Storage}{(status.IsCompressed ? ", compressed" : "")}");
        return text.ToString().TrimEnd();
    }

    internal static string Readable(KeyValueEntry<byte[]> entry)
        => $"{entry.Revision,8} {entry.Created:u} {entry.Operation,-6} {entry.Key}{(entry.Value is null ? "" : $" {Text(entry.Value) ?? Convert.ToHexStringLower(entry.Value)}")}";

    internal static string Json(KeyValueEntry<byte[]> entry) => Write(writer =>
    {
        writer.WriteString("key", entry.Key);
        writer.WriteNumber("revision", entry.Revision);
        writer.WriteString("created", entry.Created);
        writer.WriteString("operation", entry.Operation.ToString().ToUpperInvariant());
        if (entry.Value is not null)
            WriteData(writer, entry.Value);
    });

    internal static string Readable(ObjectInfo info)
        => $"{info.Size.ToString("N0", CultureInfo.InvariantCulture),14} bytes {info.Modified:u} {info.Name}{(info.Deleted ? " (deleted)" : "")}{(info.Link is { } link ? $" -> {link.Bucket}/{link.Name}" : "")}";

    internal static string Json(ObjectInfo info) => Write(writer =>
    {
        writer.WriteString("name", info.Name);
        writer.WriteString("bucket", info.Bucket);
        writer.WriteNumber("size", info.Size);
        writer.WriteNumber("chunks", info.Chunks);
        writer.WriteString("digest", info.Digest);
        writer.WriteString("modified", info.Modified);
        writer.WriteBoolean("deleted", info.Deleted);
    });

    private static string Readable(string subject, ulong sequence, DateTimeOffset time, NatsHeaders? headers, byte[] data)
    {
        var text = new StringBuilder($"[{sequence}] {subject} at {time:O}: {data.Length} bytes\n");
        foreach (var (name, value) in headers ?? [])
            text.Append($"{name}: {value}\n");
        return text.Append(Text(data) ?? Convert.ToHexStringLower(data)).ToString();
    }

    private static string Json(string subject, ulong sequence, DateTimeOffset time, NatsHeaders? headers, byte[] data) => Write(writer =>
    {
        writer.WriteString("subject", subject);
        writer.WriteNumber("seq", sequence);
        writer.WriteString("time", time);
        if (headers is { Count: > 0 })
        {
            writer.WriteStartObject("headers");
            foreach (var values in headers.GroupBy(header => header.Key, header => header.Value, StringComparer.Ordinal))
            {
                writer.WriteStartArray(values.Key);
                foreach (var value in values)
                    writer.WriteStringValue(value);
                writer.WriteEndArray();
            }
            writer.WriteEndObject();
        }
        WriteData(writer, data);
    });

    private static string Write(Action<Utf8JsonWriter> members)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var writer = new Utf8JsonWriter(buffer, OneLine))
        {
            writer.WriteStartObject();
            members(writer);
            writer.WriteEndObject();
        }
        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    private static void WriteData(Utf8JsonWriter writer, byte[] data)
    {
        if (Text(data) is { } text)
            writer.WriteString("data", text);
        else
            writer.WriteBase64String("data_base64", data);
    }

    private static void Row(StringBuilder text, string name, string? value)
    {
        if (!string.IsNullOrEmpty(value))
            text.Append(CultureInfo.InvariantCulture, $"{name,-12} {value}\n");
    }

    private static string Limits(StreamConfig config)
    {
        var limits = new List<string>();
        if (config.MaxMessages > 0) limits.Add($"{Number((ulong)config.MaxMessages)} messages");
        if (config.MaxBytes > 0) limits.Add($"{Number((ulong)config.MaxBytes)} bytes");
        if (config.MaxAge > TimeSpan.Zero) limits.Add(config.MaxAge.ToString());
        if (config.MaxMessagesPerSubject > 0) limits.Add($"{Number((ulong)config.MaxMessagesPerSubject)} per subject");
        return limits.Count == 0 ? "without limits" : "at most " + string.Join(", ", limits);
    }

    private static string Number(ulong value) => value.ToString("N0", CultureInfo.InvariantCulture);

    private static string Number(int value) => value.ToString("N0", CultureInfo.InvariantCulture);

    private static string? Text(byte[] data)
    {
        try
        {
            return Utf8.GetString(data);
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }
}
