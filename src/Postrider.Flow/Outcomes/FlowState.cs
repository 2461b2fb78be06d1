namespace Postrider.Flow.Outcomes;

/// <summary>What an operation, or a stage of a pipeline, does at a moment.</summary>
public enum FlowState
{
    /// <summary>Items are in flight.</summary>
    Busy,

    /// <summary>No item is in flight: the operation waits for its source, or for the delay of a retry. It could do more.</summary>
    Starved,

    /// <summary>The results are not taken as fast as they come, or the operation is paused: it starts no items.</summary>
    Blocked,
}
