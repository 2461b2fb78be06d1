namespace Postrider.Middleware;

/// <summary>A message that must take effect once however often it arrives; implement it to have
/// <see cref="IdempotencyMiddleware{TRequest, TResponse}"/> fit.</summary>
public interface IIdempotent
{
    /// <summary>The identity that repeated messages share.</summary>
    string IdempotencyKey { get; }
}
