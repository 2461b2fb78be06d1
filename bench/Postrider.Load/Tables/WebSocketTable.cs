using Postrider.Load.Reports;
using Postrider.Load.Rows;
using Postrider.Load.Servers;
using Postrider.Load.Traffic;

namespace Postrider.Load.Tables;

/// <summary>Core rows over WebSocket, without TLS and without compression.</summary>
internal sealed class WebSocketTable(Options options, RowLog log)
{
    private static readonly StreamRow[] Rows =
    [
        new("websocket-publish-16", "WebSocket, publish only, 16 B", 16, null) { Subscribers = 0, Feed = Feed.None },
        new("websocket-one-16", "WebSocket, 1:1, 16 B", 16, null),
        new("websocket-one-128", "WebSocket, 1:1, 128 B", 128, null),
        new("websocket-one-16k", "WebSocket, 1:1, 16 KiB", 16 * 1024, null),
    ];

    private readonly Sheet _sheet = new(CoreTable.Settings, ServerSpec.Ours, ServerSpec.Peer);

    public IReadOnlyList<ResultLine> Run()
    {
        var ports = options.Servers.ToDictionary(static spec => spec.Name, static _ => ServerProcess.FreePort());
        using var servers = ServerSet.Start(
            options.Servers.Select(static spec => spec.WithConfiguration()), options.StoreFolder,
            (spec, folder) => folder.WriteConfiguration($"websocket {{ listen: \"127.0.0.1:{ports[spec.Name]}\", no_tls: true }}\n"));
        new BlockingRows(options, log, _sheet).Measure(Rows, servers, server => WebSocketSocket.Open(ports[server.Name]));
        return _sheet.Lines();
    }
}
