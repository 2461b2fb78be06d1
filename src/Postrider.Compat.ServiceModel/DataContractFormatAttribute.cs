namespace System.ServiceModel;

/// <summary>Says that messages are written as data contracts, which all are here.</summary>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Class | AttributeTargets.Method)]
public sealed class DataContractFormatAttribute : Attribute
{
    /// <summary>How the parts stand in the body; the compiler refuses <see cref="OperationFormatStyle.Rpc"/>, PRR009.</summary>
    public OperationFormatStyle Style { get; set; }
}
