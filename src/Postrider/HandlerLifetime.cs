namespace Postrider;

/// <summary>The lifetime of an instance of a handler or middleware.</summary>
public enum HandlerLifetime
{
    /// <summary>
    /// Inferred: <see cref="Singleton"/> when the class has no mutable field and its constructor takes only services known
    /// to be singletons (loggers, <see cref="TimeProvider"/>, options), <see cref="Transient"/> when it has mutable fields and no
    /// other dependency, otherwise <see cref="Scoped"/>.
    /// </summary>
    Inferred,

    /// <summary>One per container, created at the first use.</summary>
    Singleton,

    /// <summary>One per scope: of the surrounding scope (such as an HTTP request), or of one created for the call.</summary>
    Scoped,

    /// <summary>One per call.</summary>
    Transient,
}
