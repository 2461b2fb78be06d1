using Postrider.Rpc;
using Postrider.Rpc.Soap;

namespace System.ServiceModel;

/// <summary>A failure whose message is sent to the caller.</summary>
public class FaultException : RpcException, ISoapFault
{
    /// <summary>Creates a failure with a message.</summary>
    /// <param name="reason">The message.</param>
    /// <param name="code">The SOAP fault code; null for <c>Sender</c>, as in WCF. Other transports do not send it.</param>
    public FaultException(string reason, FaultCode? code = null)
        : this(RpcStatus.Internal, reason, code)
    {
    }

    /// <summary>Creates a failure with a message.</summary>
    /// <param name="reason">The message.</param>
    /// <param name="code">The SOAP fault code; null for <c>Sender</c>.</param>
    public FaultException(FaultReason reason, FaultCode? code = null)
        : this(RpcStatus.Internal, Text(reason), code)
    {
    }

    /// <summary>Creates a failure with a status.</summary>
    /// <param name="status">The status of the call.</param>
    /// <param name="reason">The message.</param>
    /// <param name="code">The SOAP fault code; null for <c>Sender</c>.</param>
    protected FaultException(RpcStatus status, string reason, FaultCode? code = null)
        : base(status, reason)
        => (Reason, Code) = (new FaultReason(reason), code ?? new FaultCode("Sender"));

    /// <summary>The message.</summary>
    public FaultReason Reason { get; }

    /// <summary>The SOAP fault code; for received faults, the local name of the innermost code.</summary>
    public FaultCode Code { get; }

    bool ISoapFault.IsCallers => !Code.IsReceiverFault;

    string? ISoapFault.Code => Own?.Name;

    string? ISoapFault.CodeNamespace => Own?.Namespace;

    private FaultCode? Own => Code.SubCode ?? (Code.IsSenderFault || Code.IsReceiverFault ? null : Code);

    /// <summary>Creates the exception that generated clients throw for failures not declared in the contract.</summary>
    /// <param name="status">The status of the call.</param>
    /// <param name="reason">The message.</param>
    /// <param name="code">The local name of the code; null or empty if there is none.</param>
    /// <returns>The exception.</returns>
    public static RpcException Received(RpcStatus status, string reason, string? code)
        => new FaultException(status, reason, new FaultCode(string.IsNullOrEmpty(code) ? "Receiver" : code));

    private protected static string Text(FaultReason reason) => (reason ?? throw new ArgumentNullException(nameof(reason))).ToString();
}

/// <summary>A failure that the contract declares with <see cref="FaultContractAttribute"/>.</summary>
/// <typeparam name="TDetail">The detail.</typeparam>
public class FaultException<TDetail> : FaultException, IRpcFault<TDetail>
{
    /// <summary>Creates a failure with a detail.</summary>
    /// <param name="detail">The detail sent to the caller.</param>
    /// <param name="reason">The message; null for the name of the detail's type.</param>
    /// <param name="code">The SOAP fault code; null for <c>Sender</c>.</param>
    public FaultException(TDetail detail, string? reason = null, FaultCode? code = null)
        : base(RpcStatus.Fault, reason ?? typeof(TDetail).Name, code)
        => Detail = detail;

    /// <summary>Creates a failure with a detail.</summary>
    /// <param name="detail">The detail sent to the caller.</param>
    /// <param name="reason">The message.</param>
    /// <param name="code">The SOAP fault code; null for <c>Sender</c>.</param>
    public FaultException(TDetail detail, FaultReason reason, FaultCode? code = null)
        : this(detail, Text(reason), code)
    {
    }

    /// <summary>The detail sent to the caller.</summary>
    public TDetail Detail { get; }

    string IRpcFault.Fault => typeof(TDetail).Name;
}
