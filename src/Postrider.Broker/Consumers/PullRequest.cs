// Hot path: Consumer -> this, once per pull. Allocations: only for groups and pins, which are texts.
using System.Buffers.Text;
using System.Text;
using System.Text.Json;

namespace Postrider.Broker.Consumers;

/// <summary>What a client asks for with one pull.</summary>
/// <remarks>Durations in nanoseconds. Source: the payload of <c>$JS.API.CONSUMER.MSG.NEXT</c>: nothing, a number, or a JSON object.</remarks>
internal struct PullRequest
{
    /// <summary>Messages at most.</summary>
    public int Batch;

    /// <summary>Bytes at most; 0 = any number.</summary>
    public int MaxBytes;

    /// <summary>How long it waits; 0 = for ever, or not at all with <see cref="NoWait"/>.</summary>
    public long Expires;

    /// <summary>How often to say that there is nothing; 0 = never.</summary>
    public long Heartbeat;

    /// <summary>Whether to give what there is and end.</summary>
    public bool NoWait;

    /// <summary>Whether it came as an object: only then are priorities looked at.</summary>
    public bool IsObject;

    /// <summary>Serve only when so many messages wait; 0 = always.</summary>
    public long MinPending;

    /// <summary>Serve only when so many deliveries are open; 0 = always.</summary>
    public long MinAckPending;

    /// <summary>0 (first) to 9.</summary>
    public int Priority;

    /// <summary>The priority group, or null.</summary>
    public string? Group;

    /// <summary>The pin the client believes to hold, or null.</summary>
    public string? PinId;

    /// <summary>Reads a request.</summary>
    /// <param name="payload">As received.</param>
    /// <param name="request">The request.</param>
    /// <returns>Null, or what is wrong.</returns>
    public static string? Read(ReadOnlySpan<byte> payload, out PullRequest request)
    {
        request = new PullRequest { Batch = 1 };
        var trimmed = payload.Trim(" \t\r\n"u8);
        if (trimmed.IsEmpty) return null;
        if (trimmed[0] != '{')
        {
            // Anything else that is no number asks for one message, as nats-server has it.
            if (Utf8Parser.TryParse(trimmed, out int batch, out var consumed) && consumed == trimmed.Length) request.Batch = batch;
            return null;
        }
        request.Batch = 0;
        request.IsObject = true;
        try
        {
            if (ReadObject(trimmed, ref request) is { } problem) return problem;
        }
        catch (JsonException error)
        {
            return $"{error.Message} at offset {error.BytePositionInLine ?? 0}";
        }
        return request.Heartbeat > 0 && request.Heartbeat > request.Expires / 2 ? "heartbeat value too large" : null;
    }

    private static string? ReadObject(ReadOnlySpan<byte> json, ref PullRequest request)
    {
        var reader = new Utf8JsonReader(json);
        reader.Read();
        string? problem = null;
        while (problem is null && reader.Read() && reader.TokenType == JsonTokenType.PropertyName)
        {
            if (reader.ValueTextEquals("batch"u8)) request.Batch = Number(ref reader, "batch", ref problem);
            else if (reader.ValueTextEquals("expires"u8)) request.Expires = Long(ref reader, "expires", "time.Duration", ref problem);
            else if (reader.ValueTextEquals("max_bytes"u8)) request.MaxBytes = Number(ref reader, "max_bytes", ref problem);
            else if (reader.ValueTextEquals("no_wait"u8)) request.NoWait = Flag(ref reader, "no_wait", ref problem);
            else if (reader.ValueTextEquals("idle_heartbeat"u8)) request.Heartbeat = Long(ref reader, "idle_heartbeat", "time.Duration", ref problem);
            else if (reader.ValueTextEquals("min_pending"u8)) request.MinPending = Long(ref reader, "min_pending", "int64", ref problem);
            else if (reader.ValueTextEquals("min_ack_pending"u8)) request.MinAckPending = Long(ref reader, "min_ack_pending", "int64", ref problem);
            else if (reader.ValueTextEquals("priority"u8)) request.Priority = Number(ref reader, "priority", ref problem);
            else if (reader.ValueTextEquals("group"u8)) request.Group = Text(ref reader, "group", ref problem);
            else if (reader.ValueTextEquals("id"u8)) request.PinId = Text(ref reader, "id", ref problem);
            else reader.Skip();
        }
        return problem;
    }

    private static int Number(ref Utf8JsonReader reader, string field, ref string? problem)
        => (int)Math.Clamp(Long(ref reader, field, "int", ref problem), int.MinValue, int.MaxValue);

    private static long Long(ref Utf8JsonReader reader, string field, string type, ref string? problem)
    {
        reader.Read();
        if (reader.TokenType == JsonTokenType.Null) return 0;
        if (reader.TokenType == JsonTokenType.Number && reader.TryGetInt64(out var value)) return value;
        problem = Mismatch(ref reader, field, type);
        return 0;
    }

    private static bool Flag(ref Utf8JsonReader reader, string field, ref string? problem)
    {
        reader.Read();
        if (reader.TokenType is not (JsonTokenType.Null or JsonTokenType.True or JsonTokenType.False)) problem = Mismatch(ref reader, field, "bool");
        return reader.TokenType == JsonTokenType.True;
    }

    private static string? Text(ref Utf8JsonReader reader, string field, ref string? problem)
    {
        reader.Read();
        if (reader.TokenType == JsonTokenType.String) return reader.GetString() is { Length: > 0 } text ? text : null;
        if (reader.TokenType != JsonTokenType.Null) problem = Mismatch(ref reader, field, "string");
        return null;
    }

    // As nats-server words it.
    private static string Mismatch(ref Utf8JsonReader reader, string field, string type)
    {
        var found = reader.TokenType switch
        {
            JsonTokenType.String => "string",
            JsonTokenType.Number => $"number {Encoding.UTF8.GetString(reader.ValueSpan)}",
            JsonTokenType.True or JsonTokenType.False => "bool",
            JsonTokenType.StartArray => "array",
            _ => "object",
        };
        return $"json: cannot unmarshal {found} into Go struct field .{field} of type {type}";
    }
}
