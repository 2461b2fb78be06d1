namespace Postrider.Flow;

/// <summary>The order in which a stream gives its results. Arrays are always in the source's order.</summary>
public enum ResultOrder
{
    /// <summary>As they come.</summary>
    Completion,

    /// <summary>In the source's order; at most <see cref="FlowOptions.Window"/> items run ahead of the next one to give.</summary>
    Source,
}
