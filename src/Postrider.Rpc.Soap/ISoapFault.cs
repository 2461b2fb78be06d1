namespace Postrider.Rpc.Soap;

/// <summary>An exception that says what SOAP is to call it.</summary>
public interface ISoapFault
{
    /// <summary>The caller is to blame (<c>Client</c>, <c>Sender</c>), not the server (<c>Server</c>, <c>Receiver</c>).</summary>
    bool IsCallers { get; }

    /// <summary>A code of its own, which stands in place of those in SOAP 1.1 and inside them in SOAP 1.2; null for none.</summary>
    string? Code { get; }

    /// <summary>That code's namespace; null or empty for none, in SOAP 1.1 for the envelope's.</summary>
    string? CodeNamespace { get; }
}
