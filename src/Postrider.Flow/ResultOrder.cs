namespace Postrider.Flow;

/// <summary>The order of a stream's results. Arrays are always in the source's order.</summary>
public enum ResultOrder
{
    /// <summary>In order of completion.</summary>
    Completion,

    /// <summary>In the source's order; at most <see cref="FlowOptions.Window"/> items run ahead of the next one to return.</summary>
    Source,
}
