using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Broker.Routing;

namespace Postrider.Broker.Accounts;

/// <summary>Writes the header that describes the requester into requests that go to another account.</summary>
/// <remarks>Headers of that name that the client wrote are removed; the broker's is the last one. Source: nats-server, header <c>Nats-Request-Info</c>.</remarks>
internal static class RequestInfo
{
    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private static ReadOnlySpan<byte> Line => "Nats-Request-Info: "u8;

    /// <summary>The header block of a request that comes from its account.</summary>
    /// <param name="headers">The block as it was published, or nothing.</param>
    /// <param name="publisher">Who published it, or null for the broker.</param>
    /// <param name="account">The account that it comes from.</param>
    /// <param name="server">The server's name; null to leave it out.</param>
    /// <param name="cluster">The cluster's name; null to leave it out.</param>
    /// <param name="shares">Whether everything about the client is included.</param>
    public static byte[] Write(ReadOnlySpan<byte> headers, IPublishingClient? publisher, string account, string? server, string? cluster, bool shares)
    {
        var text = new ArrayBufferWriter<byte>(256);
        using (var json = new Utf8JsonWriter(text, Options))
        {
            json.WriteStartObject();
            WriteMembers(json, publisher, account, server, cluster, shares);
            json.WriteEndObject();
        }
        return Put(headers, text.WrittenSpan);
    }

    /// <summary>The header block of a request that is forwarded to a third account.</summary>
    /// <param name="headers">The block that contains the header written by <see cref="Write"/>.</param>
    /// <param name="service">The account that it comes through.</param>
    /// <param name="server">The server's name, where it is included from here on; null to leave it out.</param>
    /// <param name="cluster">The cluster's name, where it is included from here on; null to leave it out.</param>
    /// <returns>Null when the block does not contain the header.</returns>
    public static byte[]? Extend(ReadOnlySpan<byte> headers, string service, string? server, string? cluster)
    {
        var (start, end) = Find(headers);
        if (start == end) return null;
        var text = new ArrayBufferWriter<byte>(256);
        try
        {
            using var known = JsonDocument.Parse(headers[(start + Line.Length)..end].Trim(" \r\n"u8).ToArray());
            using var json = new Utf8JsonWriter(text, Options);
            json.WriteStartObject();
            foreach (var member in known.RootElement.EnumerateObject())
            {
                if (member.NameEquals("svc") || (server is not null && (member.NameEquals("server") || member.NameEquals("cluster")))) continue;
                member.WriteTo(json);
                if (member.NameEquals("acc")) json.WriteString("svc", service);
            }
            WriteText(json, "server", server);
            WriteText(json, "cluster", server is null ? null : cluster);
            json.WriteEndObject();
            json.Flush();
        }
        catch (Exception wrong) when (wrong is JsonException or InvalidOperationException)
        {
            return null;
        }
        return Put(headers, text.WrittenSpan);
    }

    /// <summary>Whether the header written by <see cref="Write"/> contains everything about the client.</summary>
    /// <param name="headers">The block of a request that came from another account.</param>
    public static bool Shares(ReadOnlySpan<byte> headers)
    {
        var (start, end) = Find(headers);
        return headers[start..end].IndexOf("\"kind\":"u8) >= 0;
    }

    /// <summary>Writes the description of a client.</summary>
    /// <param name="json">Within an object.</param>
    /// <param name="publisher">The client, or null for the broker.</param>
    /// <param name="account">The account when there is no client.</param>
    /// <param name="server">The server's name; null to leave it out.</param>
    /// <param name="cluster">The cluster's name, which is written together with the server's; null for none.</param>
    /// <param name="shares">Whether everything about the client is included.</param>
    public static void WriteMembers(Utf8JsonWriter json, IPublishingClient? publisher, string account, string? server, string? cluster, bool shares)
    {
        publisher = BrokerRequester.ClientOf(publisher);
        var details = publisher?.Details;
        if (shares && details is not null)
        {
            json.WriteString("start", details.StartedAt.UtcDateTime);
            WriteText(json, "host", details.Host);
            json.WriteNumber("id", publisher!.Id);
        }
        json.WriteString("acc", publisher?.AccountName ?? account);
        if (shares && details is not null)
        {
            WriteText(json, "user", publisher!.UserName);
            WriteText(json, "name", details.Name);
            WriteText(json, "lang", details.Language);
            WriteText(json, "ver", details.Version);
        }
        // In nanoseconds, as nats-server writes durations.
        if (details is { RoundTrip: var trip } && trip > TimeSpan.Zero) json.WriteNumber("rtt", trip.Ticks * 100);
        WriteText(json, "server", server);
        WriteText(json, "cluster", server is null ? null : cluster);
        if (shares)
        {
            if (details is not null) WriteToken(json, details);
            json.WriteString("kind", publisher is null ? "JetStream" : "Client");
            if (details is not null) json.WriteString("client_type", details.Type);
        }
    }

    private static void WriteToken(Utf8JsonWriter json, ClientInfo details)
    {
        WriteText(json, "jwt", details.Token);
        WriteText(json, "issuer_key", details.IssuerKey);
        WriteText(json, "name_tag", details.NameTag);
        if (details.Tags.Count == 0) return;
        json.WriteStartArray("tags");
        foreach (var tag in details.Tags) json.WriteStringValue(tag);
        json.WriteEndArray();
    }

    // Appends the line, without any that the client wrote.
    private static byte[] Put(ReadOnlySpan<byte> headers, ReadOnlySpan<byte> value)
    {
        if (headers.IsEmpty) return [.. "NATS/1.0\r\n"u8, .. Line, .. value, .. "\r\n\r\n"u8];
        var lines = headers.EndsWith("\r\n\r\n"u8) ? headers[..^2] : headers;
        var kept = new ArrayBufferWriter<byte>();
        var from = 0;
        for (var (start, end) = Find(lines); start != end; (start, end) = Find(lines, end))
        {
            kept.Write(lines[from..start]);
            from = end;
        }
        return [.. kept.WrittenSpan, .. lines[from..], .. Line, .. value, .. "\r\n\r\n"u8];
    }

    // The first line with the name from a line's start on, including its line end; two equal positions when there is none.
    private static (int Start, int End) Find(ReadOnlySpan<byte> headers, int from = 0)
    {
        var name = Line[..^1];
        for (var start = from > 0 ? from : headers.IndexOf((byte)'\n') + 1; start > 0 && start < headers.Length;)
        {
            var length = headers[start..].IndexOf((byte)'\n') + 1;
            if (length == 0) length = headers.Length - start;
            if (headers.Slice(start, length).StartsWith(name)) return (start, start + length);
            start += length;
        }
        return (0, 0);
    }

    private static void WriteText(Utf8JsonWriter json, string name, string? value)
    {
        if (!string.IsNullOrEmpty(value)) json.WriteString(name, value);
    }
}
