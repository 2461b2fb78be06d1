namespace System.ServiceModel;

/// <summary>Says of a member of a <see cref="MessageContractAttribute"/> that it stands in the body; here parameters do.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class MessageBodyMemberAttribute : Attribute
{
    /// <summary>The element's name; null for the member's.</summary>
    public string? Name { get; set; }

    /// <summary>The element's namespace; null for the contract's.</summary>
    public string? Namespace { get; set; }

    /// <summary>Its place among the members; -1 for that of its name.</summary>
    public int Order { get; set; } = -1;
}
