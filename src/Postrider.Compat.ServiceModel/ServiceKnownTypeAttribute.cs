namespace System.ServiceModel;

/// <summary>Declares a derived type that may be used in place of its base class.</summary>
/// <param name="type">The derived type.</param>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Method, AllowMultiple = true)]
public sealed class ServiceKnownTypeAttribute(Type type) : Attribute
{
    /// <summary>The derived type.</summary>
    public Type Type { get; } = type;
}
