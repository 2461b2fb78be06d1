namespace System.ServiceModel;

/// <summary>What says how the parts of a message are written.</summary>
public enum OperationFormatUse
{
    /// <summary>The schema: the only way here.</summary>
    Literal,

    /// <summary>The encoding of SOAP 1.1: the compiler refuses it, PRR009.</summary>
    Encoded,
}
