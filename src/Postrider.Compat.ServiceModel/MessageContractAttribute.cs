namespace System.ServiceModel;

/// <summary>Marks a class whose members are the parts of a message. Using one in a contract is a compile-time error that suggests an
/// alternative (PRR009).</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
public sealed class MessageContractAttribute : Attribute
{
    /// <summary>Whether the members are wrapped in an element.</summary>
    public bool IsWrapped { get; set; } = true;

    /// <summary>The name of the wrapper element; null for the class name.</summary>
    public string? WrapperName { get; set; }

    /// <summary>The namespace of the wrapper element; null for the contract's.</summary>
    public string? WrapperNamespace { get; set; }
}
