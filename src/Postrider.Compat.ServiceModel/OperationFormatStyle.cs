namespace System.ServiceModel;

/// <summary>How the parts of a message stand in the body.</summary>
public enum OperationFormatStyle
{
    /// <summary>As elements of the schema: the only way here.</summary>
    Document,

    /// <summary>As parts of a call: the compiler refuses it, PRR009.</summary>
    Rpc,
}
