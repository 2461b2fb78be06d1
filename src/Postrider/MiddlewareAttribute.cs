namespace Postrider;

/// <summary>Applies the marked middleware or hook class to every message it fits, in this project and in those it refers to.</summary>
[AttributeUsage(AttributeTargets.Class)]
public sealed class MiddlewareAttribute : Attribute
{
    /// <summary>Lower runs first and so is further from the handler. Equal orders run in the order of their names; the handler map shows it.</summary>
    public int Order { get; set; }

    /// <summary>How long the instance lives; see <see cref="HandlerLifetime.Inferred"/>.</summary>
    public HandlerLifetime Lifetime { get; set; }
}
