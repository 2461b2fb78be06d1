namespace System.ServiceModel;

/// <summary>Selects data contract serialization, which is always used.</summary>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Class | AttributeTargets.Method)]
public sealed class DataContractFormatAttribute : Attribute
{
    /// <summary>The style of the body; <see cref="OperationFormatStyle.Rpc"/> is a compile-time error (PRR009).</summary>
    public OperationFormatStyle Style { get; set; }
}
