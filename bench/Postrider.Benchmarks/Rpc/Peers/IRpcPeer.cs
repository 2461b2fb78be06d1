namespace Postrider.Benchmarks.Rpc.Peers;

/// <summary>A stack of somebody else's with its own server and client.</summary>
internal interface IRpcPeer : IAsyncDisposable
{
    /// <summary>Starts the server and connects to it.</summary>
    Task<IReadOnlyList<RpcSubject>> StartAsync();
}
