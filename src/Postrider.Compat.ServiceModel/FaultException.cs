using Postrider.Rpc;
using Postrider.Rpc.Soap;

namespace System.ServiceModel;

/// <summary>A failure whose words the caller is told.</summary>
public class FaultException : RpcException, ISoapFault
{
    /// <summary>A failure in words.</summary>
    /// <param name="reason">The words.</param>
    /// <param name="code">What SOAP calls it; null for <c>Sender</c>, as in WCF. Over other transports it stays behind.</param>
    public FaultException(string reason, FaultCode? code = null)
        : this(RpcStatus.Internal, reason, code)
    {
    }

    /// <summary>A failure in words.</summary>
    /// <param name="reason">The words.</param>
    /// <param name="code">What SOAP calls it; null for <c>Sender</c>.</param>
    public FaultException(FaultReason reason, FaultCode? code = null)
        : this(RpcStatus.Internal, Text(reason), code)
    {
    }

    /// <summary>A failure of a status.</summary>
    /// <param name="status">How the call ended.</param>
    /// <param name="reason">The words.</param>
    /// <param name="code">What SOAP calls it; null for <c>Sender</c>.</param>
    protected FaultException(RpcStatus status, string reason, FaultCode? code = null)
        : base(status, reason)
        => (Reason, Code) = (new FaultReason(reason), code ?? new FaultCode("Sender"));

    /// <summary>The words.</summary>
    public FaultReason Reason { get; }

    /// <summary>What SOAP calls it; of one that was received the code's local name, the innermost.</summary>
    public FaultCode Code { get; }

    bool ISoapFault.IsCallers => !Code.IsReceiverFault;

    string? ISoapFault.Code => Own?.Name;

    string? ISoapFault.CodeNamespace => Own?.Namespace;

    private FaultCode? Own => Code.SubCode ?? (Code.IsSenderFault || Code.IsReceiverFault ? null : Code);

    /// <summary>What a generated caller throws for a failure that its contract does not name.</summary>
    /// <param name="status">How the call ended.</param>
    /// <param name="reason">The words.</param>
    /// <param name="code">The code's local name; null or empty where there is none.</param>
    /// <returns>The exception.</returns>
    public static RpcException Received(RpcStatus status, string reason, string? code)
        => new FaultException(status, reason, new FaultCode(string.IsNullOrEmpty(code) ? "Receiver" : code));

    private protected static string Text(FaultReason reason) => (reason ?? throw new ArgumentNullException(nameof(reason))).ToString();
}

/// <summary>A failure that the contract names by <see cref="FaultContractAttribute"/>.</summary>
/// <typeparam name="TDetail">The detail.</typeparam>
public class FaultException<TDetail> : FaultException, IRpcFault<TDetail>
{
    /// <summary>A failure with its detail.</summary>
    /// <param name="detail">What the caller is told.</param>
    /// <param name="reason">The same in words; null for the detail's type.</param>
    /// <param name="code">What SOAP calls it; null for <c>Sender</c>.</param>
    public FaultException(TDetail detail, string? reason = null, FaultCode? code = null)
        : base(RpcStatus.Fault, reason ?? typeof(TDetail).Name, code)
        => Detail = detail;

    /// <summary>A failure with its detail.</summary>
    /// <param name="detail">What the caller is told.</param>
    /// <param name="reason">The same in words.</param>
    /// <param name="code">What SOAP calls it; null for <c>Sender</c>.</param>
    public FaultException(TDetail detail, FaultReason reason, FaultCode? code = null)
        : this(detail, Text(reason), code)
    {
    }

    /// <summary>What the caller is told.</summary>
    public TDetail Detail { get; }

    string IRpcFault.Fault => typeof(TDetail).Name;
}
