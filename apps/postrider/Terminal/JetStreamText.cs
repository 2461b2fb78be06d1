using System.Buffers;
using System.Globalization;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;

namespace Postrider.CommandLine.Terminal;

/// <summary>The output of JetStream's verbs.</summary>
internal static class JetStreamText
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private static readonly JsonWriterOptions OneLine = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    internal static string Readable(StoredMessage<byte[]> message) => Readable(message.Subject, message.Sequence, message.Time, message.Headers, message.Data);

    internal static string Readable(in JetStreamMessage<byte[]> message) => Readable(message.Subject, message.Sequence, message.Metadata.Time, message.Headers, message.Data);

    internal static string Json(StoredMessage<byte[]> message) => Json(message.Subject, message.Sequence, message.Time, message.Headers, message.Data);

    internal static string Json(in JetStreamMessage<byte[]> message) => Json(message.Subject, message.Sequence, message.Metadata.Time, message.Headers, message.Data);

    internal static string Readable(KeyValueStatus status)
    {
        var text = new DetailsText()
            .Add("Bucket", status.Bucket)
            .Add("Description", status.Stream.Config.Description)
            .Add("Created", StreamText.Time(status.Stream.Created))
            .Add("History Kept", Quantity.Text(status.History))
            .Add("TTL", TimeToLive(status))
            .Add("Delete Marker TTL", status.LimitMarkerTimeToLive > TimeSpan.Zero ? Duration.Text(status.LimitMarkerTimeToLive) : "none")
            .AddLimit("Maximum Bucket Size", status.Stream.Config.MaxBytes, ByteSize.Text)
            .AddLimit("Maximum Value Size", status.Stream.Config.MaxMessageBytes, ByteSize.Text)
            .Add("Storage", $"{status.Stream.Config.Storage}{(status.IsCompressed ? ", compressed" : "")}")
            .Add("Replicas", (ulong)status.Stream.Config.Replicas);
        StreamText.AddCluster(text, status.Stream.Cluster);
        return text.Add("Values Stored", status.Values).Add("Bucket Size", ByteSize.Text((long)status.Bytes)).ToString();
    }

    internal static string TimeToLive(KeyValueStatus status) => status.TimeToLive == TimeSpan.Zero ? "unlimited" : Duration.Text(status.TimeToLive);

    internal static string Readable(ObjectBucketStatus status) => new DetailsText()
        .Add("Bucket", status.Bucket)
        .Add("Description", status.Stream.Config.Description)
        .Add("Created", StreamText.Time(status.Stream.Created))
        .AddLimit("TTL", status.Stream.Config.MaxAge)
        .AddLimit("Maximum Bucket Size", status.Stream.Config.MaxBytes, ByteSize.Text)
        .Add("Storage", $"{status.Stream.Config.Storage}{(status.IsCompressed ? ", compressed" : "")}")
        .Add("Replicas", (ulong)status.Stream.Config.Replicas)
        .Add("Sealed", status.IsSealed ? "yes" : "no")
        .Add("Bucket Size", ByteSize.Text((long)status.Bytes))
        .ToString();

    internal static TextTable EntryTable() => new TextTable(" Revision", "Created", "Operation", "Key", "Value").Mark("Operation", static text => text == nameof(KeyValueOperation.Put) ? CellState.Plain : CellState.Warning);

    internal static void AddTo(TextTable table, KeyValueEntry<byte[]> entry) => table.Add(
        Quantity.Text(entry.Revision), StreamText.Time(entry.Created) ?? "", entry.Operation.ToString(), entry.Key, entry.Value is null ? "" : Text(entry.Value) ?? Convert.ToHexStringLower(entry.Value));

    internal static void AddTo(TextTable table, ObjectInfo info) => table.Add(
        $"{info.Name}{(info.Deleted ? " (deleted)" : "")}{(info.Link is { } link ? $" -> {link.Bucket}/{link.Name}" : "")}", ByteSize.Text((long)info.Size), StreamText.Time(info.Modified) ?? "");

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

    internal static string Details(ObjectInfo info)
    {
        var text = new DetailsText()
            .Add("Name", info.Name)
            .Add("Bucket", info.Bucket)
            .Add("Description", info.Description)
            .Add("Link to", info.Link is { } link ? $"{link.Bucket}/{link.Name}" : null)
            .Add("Size", ByteSize.Text(info.Size))
            .Add("Chunks", (ulong)info.Chunks)
            .Add("Digest", info.Digest)
            .Add("Modified", StreamText.Time(info.Modified))
            .Add("Deleted", info.Deleted ? "yes" : null);
        foreach (var (name, values) in info.Headers ?? new Dictionary<string, IReadOnlyList<string>>()) text.Add($"Header {name}", string.Join(", ", values));
        foreach (var (name, value) in info.Metadata ?? new Dictionary<string, string>()) text.Add($"Metadata {name}", value);
        return text.ToString();
    }

    internal static string Json(ObjectInfo info) => Write(writer =>
    {
        writer.WriteString("name", info.Name);
        if (info.Description is not null) writer.WriteString("description", info.Description);
        writer.WriteString("bucket", info.Bucket);
        writer.WriteNumber("size", info.Size);
        writer.WriteNumber("chunks", info.Chunks);
        writer.WriteString("digest", info.Digest);
        writer.WriteString("modified", info.Modified);
        writer.WriteBoolean("deleted", info.Deleted);
    });

    private static string Readable(string subject, ulong sequence, DateTimeOffset time, NatsHeaders? headers, byte[] data)
    {
        var text = new StringBuilder($"[{sequence}] {subject} at {time:O}: {Quantity.Of(data.Length, "byte")}\n");
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
            MessageText.WriteHeaders(writer, headers);
        WriteData(writer, data);
    });

    internal static string Write(Action<Utf8JsonWriter> members)
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

    internal static void WriteData(Utf8JsonWriter writer, byte[] data)
    {
        if (Text(data) is { } text)
            writer.WriteString("data", text);
        else
            writer.WriteBase64String("data_base64", data);
    }

    internal static string? Text(byte[] data)
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
