namespace Postrider.Client.Sessions;

/// <summary>How a write to a queue went.</summary>
internal enum EnqueueResult
{
    /// <summary>It waits for the reader.</summary>
    Written,

    /// <summary>A message was dropped: this one or the oldest.</summary>
    Dropped,

    /// <summary>It waits for the reader, above the capacity: stop reading the connection.</summary>
    Full,

    /// <summary>The queue had ended.</summary>
    Ended,
}
