namespace Postrider;

/// <summary>Marks a method as a handler, or sets the lifetime of a handler class.</summary>
/// <remarks>
/// A method, static or not: the message first, then any of <see cref="CancellationToken"/>, <see cref="MessageContext"/> and
/// services. It returns the response, a <see cref="ValueTask{TResult}"/> or <see cref="Task{TResult}"/> of it, an
/// <see cref="IAsyncEnumerable{T}"/>, or nothing.
/// </remarks>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Class)]
public sealed class HandlerAttribute : Attribute
{
    /// <summary>The lifetime of the instance.</summary>
    public HandlerLifetime Lifetime { get; set; }

    /// <summary>Among the handlers of one notification: lower runs first. Handlers of one project with equal order run in the order of their names, those of
    /// the projects it refers to after them.</summary>
    public int Order { get; set; }
}
