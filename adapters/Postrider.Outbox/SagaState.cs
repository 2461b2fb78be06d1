namespace Postrider.Outbox;

/// <summary>A row of a saga. With Entity Framework Core an entity of the model, so that migrations create its table; written by the library
/// alone.</summary>
public sealed class SagaState
{
    /// <summary>The name of the saga.</summary>
    public required string Name { get; set; }

    /// <summary>Its id.</summary>
    public required string Id { get; set; }

    /// <summary>The number of its writes.</summary>
    public long Version { get; set; }

    /// <summary>The state, and the library's data for it.</summary>
    public required byte[] Data { get; set; }

    /// <summary>When it may be removed: milliseconds since 1970-01-01 UTC; 0 for a saga that runs.</summary>
    public long ExpiresAt { get; set; }
}
