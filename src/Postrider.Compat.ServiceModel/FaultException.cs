using Postrider.Rpc;

namespace System.ServiceModel;

/// <summary>A failure whose words the caller is told.</summary>
public class FaultException : RpcException
{
    /// <summary>A failure in words.</summary>
    /// <param name="reason">The words.</param>
    public FaultException(string reason)
        : this(RpcStatus.Internal, reason)
    {
    }

    /// <summary>A failure of a status.</summary>
    /// <param name="status">How the call ended.</param>
    /// <param name="reason">The words.</param>
    protected FaultException(RpcStatus status, string reason)
        : base(status, reason)
    {
    }

    /// <summary>The words.</summary>
    public string Reason => Message;
}

/// <summary>A failure that the contract names by <see cref="FaultContractAttribute"/>.</summary>
/// <typeparam name="TDetail">The detail.</typeparam>
/// <param name="detail">What the caller is told.</param>
/// <param name="reason">The same in words; null for the detail's type.</param>
public class FaultException<TDetail>(TDetail detail, string? reason = null) : FaultException(RpcStatus.Fault, reason ?? typeof(TDetail).Name), IRpcFault<TDetail>
{
    /// <summary>What the caller is told.</summary>
    public TDetail Detail { get; } = detail;

    string IRpcFault.Fault => typeof(TDetail).Name;
}
