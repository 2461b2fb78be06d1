namespace System.ServiceModel;

/// <summary>What SOAP calls a failure.</summary>
public sealed class FaultCode
{
    /// <summary>A code, <c>Sender</c> and <c>Receiver</c> being SOAP's own.</summary>
    /// <param name="name">The name.</param>
    /// <param name="ns">Its namespace; empty for the envelope's.</param>
    /// <param name="subCode">A code inside it, or null: it is the one that SOAP 1.1 writes.</param>
    public FaultCode(string name, string ns = "", FaultCode? subCode = null)
        => (Name, Namespace, SubCode) = (name ?? throw new ArgumentNullException(nameof(name)), ns ?? throw new ArgumentNullException(nameof(ns)), subCode);

    /// <summary>A code inside another, without a namespace.</summary>
    /// <param name="name">The name.</param>
    /// <param name="subCode">The code inside it.</param>
    public FaultCode(string name, FaultCode? subCode)
        : this(name, "", subCode)
    {
    }

    /// <summary>The name.</summary>
    public string Name { get; }

    /// <summary>Its namespace; empty for the envelope's. What was received has none.</summary>
    public string Namespace { get; }

    /// <summary>A code inside it, or null.</summary>
    public FaultCode? SubCode { get; }

    /// <summary>It is SOAP's own, or within the envelope's namespace.</summary>
    public bool IsPredefinedFault => Namespace.Length == 0;

    /// <summary>The caller is to blame.</summary>
    public bool IsSenderFault => IsPredefinedFault && Name is "Sender" or "Client";

    /// <summary>The server is to blame.</summary>
    public bool IsReceiverFault => IsPredefinedFault && Name is "Receiver" or "Server";

    /// <summary>A failure that the caller is to blame for.</summary>
    /// <param name="subCode">The code inside.</param>
    /// <returns>The code.</returns>
    public static FaultCode CreateSenderFaultCode(FaultCode subCode) => new("Sender", subCode);

    /// <summary>A failure that the caller is to blame for.</summary>
    /// <param name="name">The name of the code inside.</param>
    /// <param name="ns">Its namespace.</param>
    /// <returns>The code.</returns>
    public static FaultCode CreateSenderFaultCode(string name, string ns) => CreateSenderFaultCode(new FaultCode(name, ns));

    /// <summary>A failure that the server is to blame for.</summary>
    /// <param name="subCode">The code inside.</param>
    /// <returns>The code.</returns>
    public static FaultCode CreateReceiverFaultCode(FaultCode subCode) => new("Receiver", subCode);

    /// <summary>A failure that the server is to blame for.</summary>
    /// <param name="name">The name of the code inside.</param>
    /// <param name="ns">Its namespace.</param>
    /// <returns>The code.</returns>
    public static FaultCode CreateReceiverFaultCode(string name, string ns) => CreateReceiverFaultCode(new FaultCode(name, ns));
}
