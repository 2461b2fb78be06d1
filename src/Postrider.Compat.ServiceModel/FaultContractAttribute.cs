namespace System.ServiceModel;

/// <summary>A failure that belongs to the contract: <see cref="FaultException{TDetail}"/> with this detail reaches the caller as it was thrown.</summary>
/// <param name="detailType">The detail's type.</param>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class FaultContractAttribute(Type detailType) : Attribute
{
    /// <summary>The detail's type.</summary>
    public Type DetailType { get; } = detailType;

    /// <summary>WCF's action of the fault; callers find the fault by its detail.</summary>
    public string? Action { get; set; }

    /// <summary>Another name of the detail's element; the compiler refuses it, PRR009: the element is that of the data contract.</summary>
    public string? Name { get; set; }

    /// <summary>Another namespace of the detail's element; the compiler refuses it, PRR009.</summary>
    public string? Namespace { get; set; }
}
