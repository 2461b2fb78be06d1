namespace Postrider.Flow.Pumps;

/// <summary>What a suspended item waits for.</summary>
internal enum ItemWait
{
    /// <summary>Nothing: it does not wait.</summary>
    None,

    /// <summary>The body.</summary>
    Body,

    /// <summary>A bulkhead or a hook.</summary>
    Gate,

    /// <summary>A timer: rate limit or backoff.</summary>
    Timer,
}
