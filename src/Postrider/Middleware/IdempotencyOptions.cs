namespace Postrider.Middleware;

/// <summary>Options of <see cref="IdempotencyMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record IdempotencyOptions
{
    /// <summary>How long a key is remembered after it was answered; zero for no longer than that, <see cref="TimeSpan.MaxValue"/> for
    /// ever.</summary>
    public TimeSpan RememberFor { get; init; } = TimeSpan.FromMinutes(10);
}
