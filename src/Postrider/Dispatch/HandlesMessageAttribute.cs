using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>Names a message type that a module handles; written by the generator for the projects that refer to it.</summary>
/// <param name="message">The message.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true)]
public sealed class HandlesMessageAttribute(Type message) : Attribute
{
    /// <summary>The message.</summary>
    public Type Message { get; } = message;
}
