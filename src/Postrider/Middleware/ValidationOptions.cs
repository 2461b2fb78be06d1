namespace Postrider.Middleware;

/// <summary>Options of <see cref="ValidationMiddleware{TRequest, TResponse}"/>; register an instance to change them.</summary>
public sealed record ValidationOptions
{
    /// <summary>Whether attributes of System.ComponentModel.DataAnnotations are also checked.</summary>
    public bool DataAnnotations { get; init; } = true;
}
