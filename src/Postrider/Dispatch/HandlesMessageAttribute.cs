using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>Names a message type that a module handles; written by the generator for the projects that reference it.</summary>
/// <param name="message">The message.</param>
/// <param name="kind">The kind: 0 a request, 1 a command, 2 a notification, 3 a stream request.</param>
/// <param name="response">The response's or item's type; null if there is none.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public sealed class HandlesMessageAttribute(Type message, int kind = 0, Type? response = null) : Attribute
{
    /// <summary>The message.</summary>
    public Type Message { get; } = message;

    /// <summary>The kind of the message.</summary>
    public int Kind { get; } = kind;

    /// <summary>The response's or item's type.</summary>
    public Type? Response { get; } = response;
}
