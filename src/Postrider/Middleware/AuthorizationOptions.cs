namespace Postrider.Middleware;

/// <summary>Options of <see cref="AuthorizationMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record AuthorizationOptions
{
    /// <summary>Whether a message without any authorizer passes. False: forgetting one refuses.</summary>
    public bool AllowUnguarded { get; init; } = true;
}
