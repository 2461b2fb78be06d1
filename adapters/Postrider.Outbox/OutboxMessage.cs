namespace Postrider.Outbox;

/// <summary>A row of the outbox: a message that waits to be sent, is scheduled, or could not be sent.</summary>
/// <remarks>Written by the outbox; with Entity Framework Core an entity of the model. Times are milliseconds since 1970-01-01 UTC.</remarks>
public sealed class OutboxMessage
{
    /// <summary>The order in which rows were written; given by the database. Not the order of the commits.</summary>
    public long Sequence { get; set; }

    /// <summary>The message's identity, at most 200 characters.</summary>
    public required string Id { get; set; }

    /// <summary>The name of the transport over which the relay sends it.</summary>
    public required string Transport { get; set; }

    /// <summary>The destination, in the format of the transport.</summary>
    public required string Destination { get; set; }

    /// <summary>The key by which the order is kept, at most 500 characters; null for none.</summary>
    public string? Key { get; set; }

    /// <summary>The properties and headers: a JSON array of alternating names and values.</summary>
    public required string Headers { get; set; }

    /// <summary>The body.</summary>
    public required byte[] Body { get; set; }

    /// <summary>Its state for the relay.</summary>
    public OutboxState State { get; set; }

    /// <summary>When it was written.</summary>
    public long CreatedAt { get; set; }

    /// <summary>Not sent before this time; 0 for immediately.</summary>
    public long DueAt { get; set; }

    /// <summary>No attempt before this time, because the last one failed; 0 for none.</summary>
    public long RetryAt { get; set; }

    /// <summary>The number of attempts that failed.</summary>
    public int Attempts { get; set; }

    /// <summary>The failure of the last attempt, at most 1,000 characters; null for none.</summary>
    public string? Error { get; set; }
}
