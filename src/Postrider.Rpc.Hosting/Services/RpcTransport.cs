using System.ComponentModel;

namespace Postrider.Rpc.Hosting;

/// <summary>What a server tells the container about the calls it receives, and its name in errors. Used by servers.</summary>
/// <param name="Name">What calls travel over, for example <c>HTTP</c> or <c>a socket</c>.</param>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public sealed record RpcTransport(string Name)
{
    /// <summary>Whether calls come over connections that the server knows: contracts of <c>AddRpcServicePerConnection</c> then have one
    /// implementation for each.</summary>
    public bool HasConnections { get; init; }

    /// <summary>Whether calls have a scope, as requests of ASP.NET Core do (<see cref="CallContext.Services"/>), which then provides the
    /// implementation.</summary>
    public bool HasScopes { get; init; }

    /// <summary>Calls within the process.</summary>
    internal static RpcTransport InProcess { get; } = new("an in-process channel");
}
