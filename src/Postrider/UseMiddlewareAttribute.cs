namespace Postrider;

/// <summary>Applies a middleware or hook class of another project to every message it fits.</summary>
/// <param name="middleware">The class, for example <c>typeof(RetryMiddleware&lt;,&gt;)</c>.</param>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public sealed class UseMiddlewareAttribute(Type middleware) : Attribute
{
    /// <summary>The class.</summary>
    public Type Middleware { get; } = middleware;

    /// <summary>Lower runs first and so is further from the handler.</summary>
    public int Order { get; set; }

    /// <summary>How long the instance lives; see <see cref="HandlerLifetime.Inferred"/>.</summary>
    public HandlerLifetime Lifetime { get; set; }
}
