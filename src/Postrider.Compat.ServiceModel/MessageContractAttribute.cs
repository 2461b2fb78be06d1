namespace System.ServiceModel;

/// <summary>Says of a class that its members are the parts of a message. The compiler refuses a contract that uses one, and says what to write: PRR009.</summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Struct)]
public sealed class MessageContractAttribute : Attribute
{
    /// <summary>An element stands around the members.</summary>
    public bool IsWrapped { get; set; } = true;

    /// <summary>That element's name; null for the class's.</summary>
    public string? WrapperName { get; set; }

    /// <summary>That element's namespace; null for the contract's.</summary>
    public string? WrapperNamespace { get; set; }
}
