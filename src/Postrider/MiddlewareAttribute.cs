namespace Postrider;

/// <summary>Applies the middleware or hook class to every message that matches its constraints, in this project and the projects it
/// references.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class MiddlewareAttribute : Attribute
{
    /// <summary>Lower runs first and so is further from the handler. Equal orders run in the order of their names; the handler map shows it.</summary>
    public int Order { get; set; }

    /// <summary>The lifetime of the instance; see <see cref="HandlerLifetime.Inferred"/>.</summary>
    public HandlerLifetime Lifetime { get; set; }
}
