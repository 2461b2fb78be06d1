namespace Postrider.Flow.Outcomes;

/// <summary>The current state of an operation, or of a stage of a pipeline.</summary>
public enum FlowState
{
    /// <summary>Items are in flight.</summary>
    Busy,

    /// <summary>No item is in flight: the operation waits for its source, or for the delay of a retry. It could do more.</summary>
    Starved,

    /// <summary>The results are not read as fast as they are produced, or the operation is paused: it starts no items.</summary>
    Blocked,
}
