using System.ComponentModel;

namespace Postrider.Dispatch;

/// <summary>Names a project's module for the generator of the projects that reference it; written by the generator.</summary>
/// <param name="module">The module's class.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
[AttributeUsage(AttributeTargets.Assembly)]
public sealed class PostriderModuleAttribute(Type module) : Attribute
{
    /// <summary>The module's class.</summary>
    public Type Module { get; } = module;
}
