namespace Postrider;

/// <summary>Adds a handler class that the generator does not find: a generic one closed for a message type, or one of a
/// project that does not run the generator.</summary>
/// <param name="handler">The class, closed: <c>typeof(GetByIdHandler&lt;Customer&gt;)</c>.</param>
[AttributeUsage(AttributeTargets.Assembly, AllowMultiple = true)]
public sealed class UseHandlerAttribute(Type handler) : Attribute
{
    /// <summary>The class.</summary>
    public Type Handler { get; } = handler;
}
