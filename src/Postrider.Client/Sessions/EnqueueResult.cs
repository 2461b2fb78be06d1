namespace Postrider.Client.Sessions;

/// <summary>The result of a write to a queue.</summary>
internal enum EnqueueResult
{
    /// <summary>The message was added.</summary>
    Written,

    /// <summary>A message was dropped: this one or the oldest.</summary>
    Dropped,

    /// <summary>The message was added above the capacity: stop reading the connection.</summary>
    Full,

    /// <summary>The queue has ended.</summary>
    Ended,
}
