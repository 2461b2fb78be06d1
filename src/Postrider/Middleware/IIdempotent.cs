namespace Postrider.Middleware;

/// <summary>A message that must take effect once even if it arrives several times; implement it to apply
/// <see cref="IdempotencyMiddleware{TRequest, TResponse}"/>.</summary>
public interface IIdempotent
{
    /// <summary>The key that repeated messages share.</summary>
    string IdempotencyKey { get; }
}
