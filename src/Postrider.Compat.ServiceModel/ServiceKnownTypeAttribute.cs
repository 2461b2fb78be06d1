namespace System.ServiceModel;

/// <summary>Names a type that may stand where the contract has a class that it derives from.</summary>
/// <param name="type">The derived type.</param>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Method, AllowMultiple = true)]
public sealed class ServiceKnownTypeAttribute(Type type) : Attribute
{
    /// <summary>The derived type.</summary>
    public Type Type { get; } = type;
}
