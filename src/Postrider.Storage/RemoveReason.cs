namespace Postrider.Storage;

/// <summary>Why a message left the store.</summary>
internal enum RemoveReason
{
    /// <summary>Somebody deleted it.</summary>
    Deleted,

    /// <summary>It was purged.</summary>
    Purged,

    /// <summary>A limit of the stream or of its subject pushed it out.</summary>
    Limit,

    /// <summary>It passed the stream's max age.</summary>
    MaxAge,

    /// <summary>It passed its own time to live.</summary>
    TimeToLive,

    /// <summary>Consumers are done with it (work queue, interest).</summary>
    Acknowledged,

    /// <summary>A newer message rolled it up.</summary>
    Rollup,
}
