namespace Postrider.Flow;

/// <summary>Makes pipelines.</summary>
public static class FlowPipeline
{
    /// <summary>A pipeline without a stage.</summary>
    /// <typeparam name="T">The items.</typeparam>
    /// <param name="defaults">Options of every stage that has none of its own; gates in them are shared by the stages.</param>
    public static FlowPipeline<T, T> Of<T>(FlowOptions? defaults = null) => new(static (items, _) => items, defaults);
}
