namespace System.ServiceModel;

/// <summary>Says of a member of a <see cref="MessageContractAttribute"/> that it is a header; here headers are those of <c>CallContext</c>.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Field)]
public sealed class MessageHeaderAttribute : Attribute
{
    /// <summary>The header's name; null for the member's.</summary>
    public string? Name { get; set; }

    /// <summary>The header's namespace; null for the contract's.</summary>
    public string? Namespace { get; set; }

    /// <summary>Who receives it has to know it.</summary>
    public bool MustUnderstand { get; set; }

    /// <summary>Whom it is for; null for who receives the message.</summary>
    public string? Actor { get; set; }

    /// <summary>It is passed on by those that it is not for.</summary>
    public bool Relay { get; set; }
}
