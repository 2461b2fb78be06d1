namespace Postrider.Rpc;

/// <summary>A fault that the contract declares.</summary>
/// <param name="fault">The fault's name on the wire.</param>
/// <param name="message">The error message.</param>
public abstract class RpcFaultException(string fault, string message) : RpcException(RpcStatus.Fault, message), IRpcFault
{
    /// <summary>The fault's name on the wire.</summary>
    public string Fault { get; } = fault;
}

/// <summary>A fault that the contract declares with <see cref="FaultAttribute"/>.</summary>
/// <typeparam name="T">The detail.</typeparam>
/// <param name="detail">The detail sent to the caller.</param>
/// <param name="message">The error message; null for the fault's name.</param>
public sealed class RpcFaultException<T>(T detail, string? message = null) : RpcFaultException(typeof(T).Name, message ?? typeof(T).Name), IRpcFault<T>
{
    /// <summary>The detail sent to the caller.</summary>
    public T Detail { get; } = detail;
}
