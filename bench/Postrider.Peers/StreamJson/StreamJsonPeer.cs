using System.Net;
using System.Net.Sockets;
using Postrider.Benchmarks.MessagePack;
using Postrider.Benchmarks.Rpc;
using Postrider.Benchmarks.Rpc.Peers;
using StreamJsonRpc;

namespace Postrider.Benchmarks.Peers.StreamJson;

/// <summary>StreamJsonRpc over a TCP connection with System.Text.Json.</summary>
internal sealed class StreamJsonPeer : IRpcPeer
{
    private readonly List<IDisposable> _owned = [];

    public async Task<IReadOnlyList<RpcSubject>> StartAsync()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var client = new TcpClient { NoDelay = true };
        await client.ConnectAsync((IPEndPoint)listener.LocalEndpoint);
        var server = await listener.AcceptTcpClientAsync();
        server.NoDelay = true;
        var (callee, caller) = (Speak(server), Speak(client));
        callee.AddLocalRpcTarget(new Served());
        callee.StartListening();
        caller.StartListening();
        return [RpcSubject.Of("StreamJsonRpc", new Caller(caller))];
    }

    public ValueTask DisposeAsync()
    {
        foreach (var owned in Enumerable.Reverse(_owned))
            owned.Dispose();
        return default;
    }

    private JsonRpc Speak(TcpClient connection)
    {
        var stream = connection.GetStream();
        var rpc = new JsonRpc(new HeaderDelimitedMessageHandler(stream, stream, new SystemTextJsonFormatter()));
        _owned.Add(connection);
        _owned.Add(rpc);
        return rpc;
    }

    private sealed class Served
    {
        public List<Small> Small(List<Small> items) => items;

        public List<Large> Large(List<Large> items) => items;
    }

    private sealed class Caller(JsonRpc rpc) : IEcho
    {
        public ValueTask<List<Small>> SmallAsync(List<Small> items) => new(rpc.InvokeAsync<List<Small>>("Small", items));

        public ValueTask<List<Large>> LargeAsync(List<Large> items) => new(rpc.InvokeAsync<List<Large>>("Large", items));
    }
}
