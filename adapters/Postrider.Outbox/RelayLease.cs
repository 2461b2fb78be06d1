namespace Postrider.Outbox;

/// <summary>A row that records which relay sends, if the database has no locks for it (SQLite). With Entity Framework Core an entity of
/// the model.</summary>
public sealed class RelayLease
{
    /// <summary>The name of the transport.</summary>
    public required string Transport { get; set; }

    /// <summary>The relay.</summary>
    public required string Owner { get; set; }

    /// <summary>When the lease ends: milliseconds since 1970-01-01 UTC.</summary>
    public long Until { get; set; }
}
