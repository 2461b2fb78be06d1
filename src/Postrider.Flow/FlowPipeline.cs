namespace Postrider.Flow;

/// <summary>Creates pipelines.</summary>
public static class FlowPipeline
{
    /// <summary>A pipeline without a stage.</summary>
    /// <typeparam name="T">The items.</typeparam>
    /// <param name="defaults">Options of every stage without options of its own; the stages share the gates in them.</param>
    public static FlowPipeline<T, T> Of<T>(FlowOptions? defaults = null) => new(static (items, _) => items, defaults);
}
