namespace System.ServiceModel;

/// <summary>Marks a member of a <see cref="MessageContractAttribute"/> type as part of the body. In Postrider, parameters form the
/// body.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class MessageBodyMemberAttribute : Attribute
{
    /// <summary>The element's name; null for the member's.</summary>
    public string? Name { get; set; }

    /// <summary>The element's namespace; null for the contract's.</summary>
    public string? Namespace { get; set; }

    /// <summary>The position among the members; -1 for alphabetical order.</summary>
    public int Order { get; set; } = -1;
}
