using System.Text.Json;

namespace Postrider.Broker.Tracing;

/// <summary>One step of a traced message: its arrival, a mapping, or a delivery.</summary>
/// <remarks>Members that do not apply to the step's type are null. Source: NATS ADR-41.</remarks>
/// <param name="type">The type, one of the constants.</param>
/// <param name="time">When it happened.</param>
internal sealed class TraceStep(string type, DateTimeOffset time)
{
    /// <summary>The message arrived on a connection.</summary>
    public const string Ingress = "in";

    /// <summary>A mapping of the account changed the subject.</summary>
    public const string SubjectMapping = "sm";

    /// <summary>The message is delivered to a subscriber of an account that imports the stream.</summary>
    public const string StreamExport = "se";

    /// <summary>The request is forwarded to a service of another account.</summary>
    public const string ServiceImport = "si";

    /// <summary>The message arrived at a stream.</summary>
    public const string JetStream = "js";

    /// <summary>The message is sent to a client or another server.</summary>
    public const string Egress = "eg";

    /// <summary>The type.</summary>
    public string Type => type;

    /// <summary>The kind of the connection, by the constants of <see cref="TraceConnection"/>.</summary>
    public int? ConnectionKind { get; init; }

    /// <summary>The broker's id of the connection.</summary>
    public ulong ConnectionId { get; init; }

    /// <summary>The name of the client or the other server.</summary>
    public string? ConnectionName { get; init; }

    /// <summary>The hop number under which the other server reports.</summary>
    public string? Hop { get; init; }

    /// <summary>The account.</summary>
    public string? Account { get; init; }

    /// <summary>The published subject, for <see cref="Ingress"/>.</summary>
    public string? Published { get; init; }

    /// <summary>The subject in the importing account.</summary>
    public string? From { get; init; }

    /// <summary>The new subject.</summary>
    public string? To { get; init; }

    /// <summary>The stream.</summary>
    public string? Stream { get; init; }

    /// <summary>The subject under which the stream stores the message.</summary>
    public string? StoredSubject { get; set; }

    /// <summary>Whether the stream does not store the message because no consumer needs it.</summary>
    public bool HasNoInterest { get; set; }

    /// <summary>The subscription's subject or pattern.</summary>
    public string? Subscription { get; init; }

    /// <summary>The subscription's queue group.</summary>
    public string? QueueGroup { get; init; }

    /// <summary>Why the message was not delivered.</summary>
    public string? Error { get; set; }

    /// <summary>Writes the step as an object.</summary>
    public void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("type", type);
        json.WriteString("ts", time.UtcDateTime);
        if (ConnectionKind is { } kind)
        {
            json.WriteNumber("kind", kind);
            json.WriteNumber("cid", ConnectionId);
        }
        WriteText(json, "name", ConnectionName);
        WriteText(json, "hop", Hop);
        WriteText(json, "acc", Account);
        WriteText(json, "subj", Published);
        WriteText(json, "from", From);
        WriteText(json, "to", To);
        WriteText(json, "stream", Stream);
        WriteText(json, "subject", StoredSubject);
        if (HasNoInterest) json.WriteBoolean("nointerest", true);
        WriteText(json, "sub", Subscription);
        WriteText(json, "queue", QueueGroup);
        WriteText(json, "error", Error);
        json.WriteEndObject();
    }

    private static void WriteText(Utf8JsonWriter json, string name, string? value)
    {
        if (!string.IsNullOrEmpty(value)) json.WriteString(name, value);
    }
}
