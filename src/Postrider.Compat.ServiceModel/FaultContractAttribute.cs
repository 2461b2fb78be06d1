namespace System.ServiceModel;

/// <summary>Declares a fault of the operation: a <see cref="FaultException{TDetail}"/> with this detail reaches the caller as
/// thrown.</summary>
/// <param name="detailType">The detail's type.</param>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class FaultContractAttribute(Type detailType) : Attribute
{
    /// <summary>The detail's type.</summary>
    public Type DetailType { get; } = detailType;

    /// <summary>The action of the fault in WCF. Not used: faults are identified by their detail.</summary>
    public string? Action { get; set; }

    /// <summary>A name for the detail element. Setting it is a compile-time error (PRR009): the element name is that of the data
    /// contract.</summary>
    public string? Name { get; set; }

    /// <summary>A namespace for the detail element. Setting it is a compile-time error (PRR009).</summary>
    public string? Namespace { get; set; }
}
