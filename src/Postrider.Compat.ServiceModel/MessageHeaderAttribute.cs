namespace System.ServiceModel;

/// <summary>Marks a member of a <see cref="MessageContractAttribute"/> type as a header. In Postrider, headers are those of
/// <c>CallContext</c>.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class MessageHeaderAttribute : Attribute
{
    /// <summary>The header's name; null for the member's.</summary>
    public string? Name { get; set; }

    /// <summary>The header's namespace; null for the contract's.</summary>
    public string? Namespace { get; set; }

    /// <summary>Whether the receiver must understand the header.</summary>
    public bool MustUnderstand { get; set; }

    /// <summary>The target of the header; null for the receiver of the message.</summary>
    public string? Actor { get; set; }

    /// <summary>Whether nodes that are not the target relay the header.</summary>
    public bool Relay { get; set; }
}
