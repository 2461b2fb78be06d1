namespace Postrider.Dispatch;

/// <summary>The registration of one message type in a module: how to compose its pipeline, and how to describe it.</summary>
public abstract class MessageRegistration
{
    private protected MessageRegistration(MessageDescription description) => Description = description;

    /// <summary>The type.</summary>
    public abstract Type MessageType { get; }

    /// <summary>The description in the handler map.</summary>
    public MessageDescription Description { get; }

    /// <summary>The objects that a call creates when middleware of other projects is around the handler.</summary>
    internal PipelineNeeds NeedsWith(IReadOnlyList<CrossModuleMiddleware> wrappers)
    {
        // A loop: this runs before a program's first message, where compiling anything more complex would delay the start.
        var needs = Description.Needs;
        foreach (var wrapper in wrappers)
            needs |= wrapper.Needs;
        return needs;
    }

    /// <summary>The instances of a scope that the steps require.</summary>
    internal ScopeUse UseWith(IReadOnlyList<CrossModuleMiddleware> wrappers)
        => wrappers.Count + Description.Middleware.Count > 0 ? ScopeUse.Several
            : Description.Lifetime == HandlerLifetime.Scoped ? ScopeUse.One
            : ScopeUse.Services;

    internal abstract Pipeline Compose(IServiceProvider root, bool traced, IReadOnlyList<CrossModuleMiddleware> wrappers);
}
