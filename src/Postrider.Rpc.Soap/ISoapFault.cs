namespace Postrider.Rpc.Soap;

/// <summary>An exception that provides its SOAP fault code.</summary>
public interface ISoapFault
{
    /// <summary>Whether the caller caused the fault (<c>Client</c>, <c>Sender</c>) and not the server (<c>Server</c>,
    /// <c>Receiver</c>).</summary>
    bool IsCallers { get; }

    /// <summary>A custom code, which replaces the standard code in SOAP 1.1 and is its subcode in SOAP 1.2; null for none.</summary>
    string? Code { get; }

    /// <summary>The namespace of the custom code; null or empty for none (in SOAP 1.1: the envelope's).</summary>
    string? CodeNamespace { get; }
}
