namespace Postrider.Rpc.Generator.Parsing;

/// <summary>The full names of the library's types.</summary>
internal static class KnownNames
{
    internal const string Service = "Postrider.Rpc.ServiceAttribute";
    internal const string Operation = "Postrider.Rpc.OperationAttribute";
    internal const string OneWay = "Postrider.Rpc.OneWayAttribute";
    internal const string Bare = "Postrider.Rpc.BareAttribute";
    internal const string Idempotent = "Postrider.Rpc.IdempotentAttribute";
    internal const string Fault = "Postrider.Rpc.FaultAttribute";
    internal const string File = "Postrider.Rpc.RpcFile";
    internal const string Exception = "Postrider.Rpc.RpcException";
    internal const string Context = "Postrider.Rpc.CallContext";
}
