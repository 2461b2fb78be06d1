namespace System.ServiceModel;

/// <summary>A SOAP fault code.</summary>
public sealed class FaultCode
{
    /// <summary>Creates a code; <c>Sender</c> and <c>Receiver</c> are defined by SOAP.</summary>
    /// <param name="name">The name.</param>
    /// <param name="ns">The namespace; empty for the envelope's namespace.</param>
    /// <param name="subCode">The subcode, or null. SOAP 1.1 sends the subcode only.</param>
    public FaultCode(string name, string ns = "", FaultCode? subCode = null)
        => (Name, Namespace, SubCode) = (name ?? throw new ArgumentNullException(nameof(name)), ns ?? throw new ArgumentNullException(nameof(ns)), subCode);

    /// <summary>Creates a code without a namespace.</summary>
    /// <param name="name">The name.</param>
    /// <param name="subCode">The subcode.</param>
    public FaultCode(string name, FaultCode? subCode)
        : this(name, "", subCode)
    {
    }

    /// <summary>The name.</summary>
    public string Name { get; }

    /// <summary>The namespace; empty for the envelope's namespace and for received codes.</summary>
    public string Namespace { get; }

    /// <summary>The subcode, or null.</summary>
    public FaultCode? SubCode { get; }

    /// <summary>Whether the code is in the envelope's namespace.</summary>
    public bool IsPredefinedFault => Namespace.Length == 0;

    /// <summary>Whether the caller caused the fault.</summary>
    public bool IsSenderFault => IsPredefinedFault && Name is "Sender" or "Client";

    /// <summary>Whether the server caused the fault.</summary>
    public bool IsReceiverFault => IsPredefinedFault && Name is "Receiver" or "Server";

    /// <summary>Creates a code for a fault caused by the caller.</summary>
    /// <param name="subCode">The subcode.</param>
    /// <returns>The code.</returns>
    public static FaultCode CreateSenderFaultCode(FaultCode subCode) => new("Sender", subCode);

    /// <summary>Creates a code for a fault caused by the caller.</summary>
    /// <param name="name">The name of the subcode.</param>
    /// <param name="ns">The namespace.</param>
    /// <returns>The code.</returns>
    public static FaultCode CreateSenderFaultCode(string name, string ns) => CreateSenderFaultCode(new FaultCode(name, ns));

    /// <summary>Creates a code for a fault caused by the server.</summary>
    /// <param name="subCode">The subcode.</param>
    /// <returns>The code.</returns>
    public static FaultCode CreateReceiverFaultCode(FaultCode subCode) => new("Receiver", subCode);

    /// <summary>Creates a code for a fault caused by the server.</summary>
    /// <param name="name">The name of the subcode.</param>
    /// <param name="ns">The namespace.</param>
    /// <returns>The code.</returns>
    public static FaultCode CreateReceiverFaultCode(string name, string ns) => CreateReceiverFaultCode(new FaultCode(name, ns));
}
