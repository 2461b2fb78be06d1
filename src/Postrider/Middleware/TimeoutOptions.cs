namespace Postrider.Middleware;

/// <summary>Options of <see cref="TimeoutMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record TimeoutOptions
{
    /// <summary>How long a message may take: above zero, and no longer than a timer can wait (49 days).</summary>
    public TimeSpan After { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Returns the limit of a message type; null, or a null result, for <see cref="After"/>. Called once per type.</summary>
    public Func<Type, TimeSpan?>? ByMessage { get; init; }
}
