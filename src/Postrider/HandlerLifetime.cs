namespace Postrider;

/// <summary>How long an instance of a handler or middleware lives.</summary>
public enum HandlerLifetime
{
    /// <summary>
    /// Inferred: <see cref="Singleton"/> when the class has no mutable field and its constructor takes only services known
    /// to be singletons (loggers, <see cref="TimeProvider"/>, options), <see cref="Transient"/> when it has mutable fields and no
    /// other dependency, otherwise <see cref="Scoped"/>.
    /// </summary>
    Inferred,

    /// <summary>One per container, made at the first use.</summary>
    Singleton,

    /// <summary>One per scope: of the surrounding scope (an HTTP request, say), or of one made for the call.</summary>
    Scoped,

    /// <summary>One per call.</summary>
    Transient,
}
