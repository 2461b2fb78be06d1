namespace Postrider.Rpc;

/// <summary>Declares a fault of the operation: an <see cref="RpcFaultException{T}"/> with this detail reaches the caller as
/// thrown.</summary>
/// <param name="detail">The type of the detail. Its name without namespace is the fault's name on the wire.</param>
[AttributeUsage(AttributeTargets.Method | AttributeTargets.Interface, AllowMultiple = true)]
public sealed class FaultAttribute(Type detail) : Attribute
{
    /// <summary>The detail's type.</summary>
    public Type Detail { get; } = detail;
}
