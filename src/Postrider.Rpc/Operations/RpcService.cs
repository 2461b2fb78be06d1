namespace Postrider.Rpc;

/// <summary>A contract with its implementation, ready to be served. Created by a generated <c>Serve</c>.</summary>
/// <param name="name">The service's name on the wire.</param>
/// <param name="version">The version.</param>
/// <param name="operations">The operations.</param>
public sealed class RpcService(string name, string version, params IReadOnlyList<OperationEndpoint> operations)
{
    /// <summary>The service's name on the wire.</summary>
    public string Name { get; } = name;

    /// <summary>The version, for example 1.2.3.</summary>
    public string Version { get; } = version;

    /// <summary>The operations.</summary>
    public IReadOnlyList<OperationEndpoint> Operations { get; } = operations;
}
