namespace Postrider.Middleware;

/// <summary>Options of <see cref="IdempotencyMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record IdempotencyOptions
{
    /// <summary>How long a key is remembered after the response; zero only while the first message runs, <see cref="TimeSpan.MaxValue"/>
    /// for no limit.</summary>
    public TimeSpan RememberFor { get; init; } = TimeSpan.FromMinutes(10);
}
