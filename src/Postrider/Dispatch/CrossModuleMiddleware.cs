using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>Middleware of one project around the handler of a referenced project; the untyped base class.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class CrossModuleMiddleware
{
    private protected CrossModuleMiddleware(PipelineNeeds needs, IReadOnlyList<string> middleware)
    {
        Needs = needs;
        Middleware = middleware;
    }

    /// <summary>The message's type.</summary>
    public abstract Type MessageType { get; }

    /// <summary>The needs of the middleware for each call.</summary>
    public PipelineNeeds Needs { get; }

    /// <summary>The middleware from the outermost to the innermost, for the handler map.</summary>
    public IReadOnlyList<string> Middleware { get; }

    /// <summary>The middleware of several projects from the outermost to the innermost.</summary>
    internal static IEnumerable<string> NamesOf(List<CrossModuleMiddleware> wrappers)
        => wrappers.AsEnumerable().Reverse().SelectMany(static wrapper => wrapper.Middleware);
}
