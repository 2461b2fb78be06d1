namespace System.ServiceModel;

/// <summary>Says that messages are written by <c>XmlSerializer</c>. The compiler refuses a contract that has it, and says what to write: PRR009.</summary>
[AttributeUsage(AttributeTargets.Interface | AttributeTargets.Class | AttributeTargets.Method)]
public sealed class XmlSerializerFormatAttribute : Attribute
{
    /// <summary>How the parts stand in the body.</summary>
    public OperationFormatStyle Style { get; set; }

    /// <summary>What says how they are written.</summary>
    public OperationFormatUse Use { get; set; }

    /// <summary>Details of faults are written so, too.</summary>
    public bool SupportFaults { get; set; }
}
