namespace Postrider.Middleware;

/// <summary>Options of <see cref="AuthorizationMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record AuthorizationOptions
{
    /// <summary>Whether a message without any authorizer is allowed. False by default, so that a forgotten authorizer rejects the message.</summary>
    public bool AllowUnguarded { get; init; } = true;
}
