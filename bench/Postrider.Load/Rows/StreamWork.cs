namespace Postrider.Load.Rows;

/// <summary>What a row about a stream measures.</summary>
internal enum StreamWork
{
    /// <summary>Publishing with many acknowledgements under way.</summary>
    PublishAsync,

    /// <summary>Publishing with one under way.</summary>
    PublishSync,

    /// <summary>A durable consumer that is asked for batches, each message acknowledged.</summary>
    Fetch,

    /// <summary>A consumer without acknowledgements that is kept asked.</summary>
    OrderedPull,

    /// <summary>A consumer without acknowledgements that is pushed to, with flow control.</summary>
    OrderedPush,

    /// <summary>A new watcher of a bucket gets the newest value of every key.</summary>
    WatchAll,
}
