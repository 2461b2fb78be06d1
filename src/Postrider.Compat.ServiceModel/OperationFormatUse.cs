namespace System.ServiceModel;

/// <summary>How the parts of a message are encoded.</summary>
public enum OperationFormatUse
{
    /// <summary>Literal, as defined by the schema. The only supported use.</summary>
    Literal,

    /// <summary>The SOAP 1.1 encoding; a compile-time error (PRR009).</summary>
    Encoded,
}
