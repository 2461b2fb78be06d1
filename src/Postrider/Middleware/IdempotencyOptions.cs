namespace Postrider.Middleware;

/// <summary>Options of <see cref="IdempotencyMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record IdempotencyOptions
{
    /// <summary>How long a key is remembered after the response; zero only while the first message runs, <see cref="TimeSpan.MaxValue"/>
    /// for no limit.</summary>
    public TimeSpan RememberFor { get; init; } = TimeSpan.FromMinutes(10);

    /// <summary>Maximum number of keys of one kind of message, those being handled included; at least 1, by default 1,000,000. Messages with
    /// further keys are refused with <see cref="PostriderError.QueueFull"/> until a key is forgotten: none is forgotten early, because
    /// a repeated message would then take effect twice.</summary>
    public int MaxKeys { get; init; } = 1_000_000;
}
