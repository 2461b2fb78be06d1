namespace Postrider.Storage;

/// <summary>Why a message was removed from the store.</summary>
internal enum RemoveReason
{
    /// <summary>It was deleted by a request.</summary>
    Deleted,

    /// <summary>It was purged.</summary>
    Purged,

    /// <summary>It exceeded a limit of the stream or of its subject.</summary>
    Limit,

    /// <summary>It exceeded the stream's max age.</summary>
    MaxAge,

    /// <summary>It exceeded its own time to live.</summary>
    TimeToLive,

    /// <summary>Consumers have processed it (work queue, interest).</summary>
    Acknowledged,

    /// <summary>It was replaced by a roll-up.</summary>
    Rollup,
}
