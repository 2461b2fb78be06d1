// Hot path: Consumer -> this, once per pull. Allocations: only for groups and pins, which are texts.
using System.Buffers.Text;
using System.Text;
using System.Text.Json;
using Postrider.Broker.JetStream.Text;

namespace Postrider.Broker.JetStream.Consumers.Pulling;

/// <summary>The parameters of one pull request.</summary>
/// <remarks>Durations in nanoseconds. Source: the payload of <c>$JS.API.CONSUMER.MSG.NEXT</c>: nothing, a number, or a JSON object.</remarks>
internal struct PullRequest
{
    // Deeper than any real request; the reader does not recurse.
    private const int MaxDepth = 10_000;

    /// <summary>Maximum number of messages.</summary>
    public long Batch;

    /// <summary>Maximum number of bytes; 0 = unlimited.</summary>
    public long MaxBytes;

    /// <summary>How long it waits; 0 = without limit, or not at all with <see cref="NoWait"/>. A negative one has expired already.</summary>
    public long Expires;

    /// <summary>The interval of heartbeats; 0 = none.</summary>
    public long Heartbeat;

    /// <summary>Whether to deliver what is available and end.</summary>
    public bool NoWait;

    /// <summary>Whether the payload was an object: priorities are only read from objects.</summary>
    public bool IsObject;

    /// <summary>Serve only while at least this many messages are pending; 0 = always.</summary>
    public long MinPending;

    /// <summary>Serve only while at least this many deliveries are open; 0 = always.</summary>
    public long MinAckPending;

    /// <summary>The priority, 0 (first) to 9; <see cref="int.MaxValue"/> when the payload was not an object.</summary>
    public int Priority;

    /// <summary>The priority group, or null.</summary>
    public string? Group;

    /// <summary>The pin that the client assumes it holds, or null.</summary>
    public string? PinId;

    /// <summary>Reads a request.</summary>
    /// <param name="payload">As received.</param>
    /// <param name="request">The request.</param>
    /// <returns>Null, or the problem.</returns>
    public static string? Read(ReadOnlySpan<byte> payload, out PullRequest request)
    {
        // A request without an object has no priority: it comes last.
        request = new PullRequest { Batch = 1, Priority = int.MaxValue };
        var trimmed = payload.Trim(" \t\r\n"u8);
        if (trimmed.IsEmpty) return null;
        if (trimmed[0] != '{')
        {
            // As in nats-server, anything else that is not a number requests one message.
            if (Utf8Parser.TryParse(trimmed, out long batch, out var consumed) && consumed == trimmed.Length) request.Batch = batch;
            return null;
        }
        request.Priority = 0;
        var problem = ReadObject(trimmed, ref request);
        if (problem is not null) return problem;

        // Doubling the heartbeat may overflow: then it wraps, as in nats-server.
        return request.Heartbeat > 0 && unchecked(request.Heartbeat * 2) > request.Expires ? "heartbeat value too large" : null;
    }

    private static string? ReadObject(ReadOnlySpan<byte> json, ref PullRequest request)
    {
        try
        {
            return ReadMembers(json, ref request);
        }
        catch (JsonException)
        {
            return JsonSyntax.FirstProblem(json) ?? "exceeded max depth";
        }
        catch (InvalidOperationException)
        {
            // The JSON contains invalid Unicode: the reader fails on it, nats-server reads U+FFFD.
            var unicode = RequestText.ToUnicode(json);
            return RequestText.IsUnicode(unicode) && !json.SequenceEqual(unicode) ? ReadObject(unicode, ref request) : "invalid text";
        }
    }

    private static string? ReadMembers(ReadOnlySpan<byte> json, ref PullRequest request)
    {
        request = new PullRequest { IsObject = true };
        var reader = new Utf8JsonReader(json, new JsonReaderOptions { MaxDepth = MaxDepth });
        reader.Read();
        string? problem = null;
        while (reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            // A value of the wrong type is skipped and reported at the end: the text after it may be invalid JSON.
            switch (MemberOf(ref reader))
            {
                case Member.Batch:
                    request.Batch = Long(ref reader, "batch", "int", ref problem);
                    break;
                case Member.Expires:
                    request.Expires = Long(ref reader, "expires", "time.Duration", ref problem);
                    break;
                case Member.MaxBytes:
                    request.MaxBytes = Long(ref reader, "max_bytes", "int", ref problem);
                    break;
                case Member.NoWait:
                    request.NoWait = Flag(ref reader, "no_wait", ref problem);
                    break;
                case Member.Heartbeat:
                    request.Heartbeat = Long(ref reader, "idle_heartbeat", "time.Duration", ref problem);
                    break;
                case Member.MinPending:
                    request.MinPending = Long(ref reader, "min_pending", "int64", ref problem);
                    break;
                case Member.MinAckPending:
                    request.MinAckPending = Long(ref reader, "min_ack_pending", "int64", ref problem);
                    break;
                case Member.Priority:
                    request.Priority = (int)Math.Clamp(Long(ref reader, "priority", "int", ref problem), int.MinValue, int.MaxValue);
                    break;
                case Member.Group:
                    request.Group = Text(ref reader, "group", ref problem);
                    break;
                case Member.PinId:
                    request.PinId = Text(ref reader, "id", ref problem);
                    break;
                default:
                    reader.Skip();
                    break;
            }
        }

        // Anything after the object is an error, which the reader throws.
        _ = reader.Read();
        return problem;
    }

    private static Member MemberOf(ref Utf8JsonReader reader)
    {
        if (reader.ValueTextEquals("batch"u8)) return Member.Batch;
        if (reader.ValueTextEquals("expires"u8)) return Member.Expires;
        if (reader.ValueTextEquals("max_bytes"u8)) return Member.MaxBytes;
        if (reader.ValueTextEquals("no_wait"u8)) return Member.NoWait;
        if (reader.ValueTextEquals("idle_heartbeat"u8)) return Member.Heartbeat;
        if (reader.ValueTextEquals("min_pending"u8)) return Member.MinPending;
        if (reader.ValueTextEquals("min_ack_pending"u8)) return Member.MinAckPending;
        if (reader.ValueTextEquals("priority"u8)) return Member.Priority;
        if (reader.ValueTextEquals("group"u8)) return Member.Group;
        return reader.ValueTextEquals("id"u8) ? Member.PinId : MemberInAnyCase(reader.GetString()!);
    }

    private static Member MemberInAnyCase(string name)
        => name.ToUpperInvariant() switch
        {
            "BATCH" => Member.Batch,
            "EXPIRES" => Member.Expires,
            "MAX_BYTES" => Member.MaxBytes,
            "NO_WAIT" => Member.NoWait,
            "IDLE_HEARTBEAT" => Member.Heartbeat,
            "MIN_PENDING" => Member.MinPending,
            "MIN_ACK_PENDING" => Member.MinAckPending,
            "PRIORITY" => Member.Priority,
            "GROUP" => Member.Group,
            "ID" => Member.PinId,
            _ => Member.Unknown,
        };

    private static long Long(ref Utf8JsonReader reader, string field, string type, ref string? problem)
    {
        reader.Read();
        if (reader.TokenType == JsonTokenType.Null) return 0;
        if (reader.TokenType == JsonTokenType.Number && reader.TryGetInt64(out var value)) return value;
        problem ??= Mismatch(ref reader, field, type);
        reader.Skip();
        return 0;
    }

    private static bool Flag(ref Utf8JsonReader reader, string field, ref string? problem)
    {
        reader.Read();
        if (reader.TokenType is JsonTokenType.Null or JsonTokenType.True or JsonTokenType.False) return reader.TokenType == JsonTokenType.True;
        problem ??= Mismatch(ref reader, field, "bool");
        reader.Skip();
        return false;
    }

    private static string? Text(ref Utf8JsonReader reader, string field, ref string? problem)
    {
        reader.Read();
        if (reader.TokenType == JsonTokenType.String) return reader.GetString() is { Length: > 0 } text ? text : null;
        if (reader.TokenType == JsonTokenType.Null) return null;
        problem ??= Mismatch(ref reader, field, "string");
        reader.Skip();
        return null;
    }

    // nats-server's text.
    private static string Mismatch(ref Utf8JsonReader reader, string field, string type)
    {
        var found = reader.TokenType switch
        {
            JsonTokenType.String => "string",
            JsonTokenType.Number when type is not ("bool" or "string") => $"number {Encoding.UTF8.GetString(reader.ValueSpan)}",
            JsonTokenType.Number => "number",
            JsonTokenType.True or JsonTokenType.False => "bool",
            JsonTokenType.StartArray => "array",
            _ => "object",
        };
        return $"json: cannot unmarshal {found} into Go struct field .{field} of type {type}";
    }

    private enum Member
    {
        Unknown,
        Batch,
        Expires,
        MaxBytes,
        NoWait,
        Heartbeat,
        MinPending,
        MinAckPending,
        Priority,
        Group,
        PinId,
    }
}
