namespace Postrider.Dispatch;

/// <summary>The registration of one message type in a module: how to compose its pipeline, and how to describe it.</summary>
public abstract class MessageRegistration
{
    private protected MessageRegistration(MessageDescription description) => Description = description;

    /// <summary>The type.</summary>
    public abstract Type MessageType { get; }

    /// <summary>The description in the handler map.</summary>
    public MessageDescription Description { get; }

    /// <summary>What a call makes when middleware of other projects stands around the handler.</summary>
    internal PipelineNeeds NeedsWith(IReadOnlyList<CrossModuleMiddleware> wrappers)
    {
        // A loop: this runs before a program's first message, and its start would pay for compiling anything cleverer.
        var needs = Description.Needs;
        foreach (var wrapper in wrappers)
            needs |= wrapper.Needs;
        return needs;
    }

    /// <summary>Which instances of a scope the steps ask for.</summary>
    internal ScopeUse UseWith(IReadOnlyList<CrossModuleMiddleware> wrappers)
        => wrappers.Count + Description.Middleware.Count > 0 ? ScopeUse.Several
            : Description.Lifetime == HandlerLifetime.Scoped ? ScopeUse.One
            : ScopeUse.Services;

    internal abstract Pipeline Compose(IServiceProvider root, bool traced, IReadOnlyList<CrossModuleMiddleware> wrappers);
}
