using Postrider.Client;
using Postrider.Rpc;
using Postrider.Rpc.Grpc;
using Postrider.Rpc.Nats;
using Postrider.Rpc.Soap;

namespace Postrider.Samples.StockDesk;

/// <summary>The same client over each channel.</summary>
public sealed class StockCallers : IAsyncDisposable
{
    private readonly List<RpcChannel> _channels = [];
    private readonly NatsClient _nats;

    private StockCallers(NatsClient nats) => _nats = nats;

    /// <summary>The clients by the name of their transport.</summary>
    public List<(string Way, bool Streams, IStock Stock)> All { get; } = [];

    /// <summary>Creates a client for each transport of a server.</summary>
    public static async Task<StockCallers> ConnectAsync(StockServer server)
    {
        ArgumentNullException.ThrowIfNull(server);
        var callers = new StockCallers(await NatsClient.ConnectAsync(server.Nats));
        callers.Add("HTTP, JSON", new HttpChannel(server.Http, Forms.Json));
        callers.Add("HTTP, MessagePack", new HttpChannel(server.Http, Forms.MessagePack));
        callers.Add("HTTP, XML", new HttpChannel(server.Http, Forms.Xml));
        callers.Add("SOAP 1.1", new SoapChannel(new Uri(server.Http, "stock.svc"), StockXml.Default), streams: false);
        callers.Add("gRPC framing", new RpcGrpcChannel(server.Grpc, Forms.MessagePack));
        callers.Add("WebSocket", new WebSocketChannel(new UriBuilder(server.Http) { Scheme = "ws", Path = "/ws" }.Uri, Forms.MessagePack));
        callers.Add("multiplexed socket", new SocketChannel(server.Socket, Forms.MessagePack));
        callers.Add("NATS", new NatsChannel(callers._nats, Forms.MessagePack));
        return callers;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (var channel in _channels)
            await channel.DisposeAsync();
        await _nats.DisposeAsync();
    }

    private void Add(string way, RpcChannel channel, bool streams = true)
    {
        _channels.Add(channel);
        All.Add((way, streams, new StockClient(channel)));
    }
}
