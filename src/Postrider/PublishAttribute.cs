namespace Postrider;

/// <summary>Sets how a notification's handlers are called; on an assembly, the default of that project's notifications.</summary>
/// <param name="strategy">The strategy.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct | AttributeTargets.Interface | AttributeTargets.Assembly)]
public sealed class PublishAttribute(PublishStrategy strategy) : Attribute
{
    /// <summary>The strategy.</summary>
    public PublishStrategy Strategy { get; } = strategy;
}
