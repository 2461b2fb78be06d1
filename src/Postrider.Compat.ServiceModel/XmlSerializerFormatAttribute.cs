namespace System.ServiceModel;

/// <summary>Selects <c>XmlSerializer</c> for messages. Using it in a contract is a compile-time error that suggests an alternative
/// (PRR009).</summary>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Class | AttributeTargets.Method)]
public sealed class XmlSerializerFormatAttribute : Attribute
{
    /// <summary>The style of the body.</summary>
    public OperationFormatStyle Style { get; set; }

    /// <summary>How the parts are encoded.</summary>
    public OperationFormatUse Use { get; set; }

    /// <summary>Whether fault details use the serializer as well.</summary>
    public bool SupportFaults { get; set; }
}
