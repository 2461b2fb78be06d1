namespace Postrider.Rpc;

/// <summary>A contract with its implementation: what a server serves. A generated <c>Serve</c> makes it.</summary>
/// <param name="name">The service's name on the wire.</param>
/// <param name="version">Its version.</param>
/// <param name="operations">Its operations.</param>
public sealed class RpcService(string name, string version, params IReadOnlyList<OperationEndpoint> operations)
{
    /// <summary>The service's name on the wire.</summary>
    public string Name { get; } = name;

    /// <summary>Its version, of the form 1.2.3.</summary>
    public string Version { get; } = version;

    /// <summary>Its operations.</summary>
    public IReadOnlyList<OperationEndpoint> Operations { get; } = operations;
}
