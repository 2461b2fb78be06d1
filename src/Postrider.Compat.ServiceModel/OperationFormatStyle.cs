namespace System.ServiceModel;

/// <summary>The style of the parts of a message in the body.</summary>
public enum OperationFormatStyle
{
    /// <summary>Document style: elements of the schema. The only supported style.</summary>
    Document,

    /// <summary>RPC style; a compile-time error (PRR009).</summary>
    Rpc,
}
