namespace Postrider.Middleware;

/// <summary>Options of <see cref="IdempotencyMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record IdempotencyOptions
{
    /// <summary>How long a key is remembered after it was answered.</summary>
    public TimeSpan RememberFor { get; init; } = TimeSpan.FromMinutes(10);
}
