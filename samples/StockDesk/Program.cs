using System.Globalization;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using Postrider.Broker;
using Postrider.Rpc;
using Postrider.Samples.StockDesk;

const string Usage = """
    One contract, served over HTTP, SOAP, gRPC's framing, WebSocket, the multiplexed socket and NATS at once.

    stock-desk [serve] [HTTP-PORT SOCKET-PORT NATS-PORT GRPC-PORT]    default 5080 5090 4222 5081; 0 takes a free one
    stock-desk ask                                                    serves on free ports, asks in each way and ends
    """;

try
{
    return await RunAsync(args);
}
catch (Exception failure) when (failure is BrokerException or IOException or SocketException)
{
    Console.Error.WriteLine($"{failure.Message}\nOther ports: stock-desk serve HTTP-PORT SOCKET-PORT NATS-PORT GRPC-PORT (0 takes a free one).");
    return 1;
}

static async Task<int> RunAsync(string[] args)
{
    switch (args)
    {
        case ["ask"]:
            return await AskAsync();
        case [] or ["serve"]:
            return await ServeAsync(5080, 5090, 4222, 5081);
        case ["serve", var http, var socket, var nats, var grpc]
            when Port(http) is { } httpPort && Port(socket) is { } socketPort && Port(nats) is { } natsPort && Port(grpc) is { } grpcPort:
            return await ServeAsync(httpPort, socketPort, natsPort, grpcPort);
        case ["-h" or "--help"]:
            Console.WriteLine(Usage);
            return 0;
        default:
            Console.Error.WriteLine($"'{string.Join(' ', args)}' is not understood.\n{Usage}");
            return 2;
    }
}

static int? Port(string text) => ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var port) ? port : null;

static async Task<int> ServeAsync(int http, int socket, int nats, int grpc)
{
    await using var server = await StockServer.StartAsync(http, socket, nats, grpc);
    var quote = "'";
    Console.WriteLine($"""
        HTTP         curl -s {server.Http}stock/Find -H 'content-type: application/json' -d '"tea"'
        HTTP         curl -s {server.Http}stock/Reserve -H 'content-type: application/json' -d {quote}{"{"}"item":"unicorn","quantity":1{"}"}{quote}
        HTTP stream  curl -sN {server.Http}stock/Watch -H 'content-type: application/json' -d '"tea"'
        SOAP         {server.Http}stock.svc?wsdl
        gRPC         {server.Grpc}stock/Find (application/grpc+json, application/grpc+msgpack)
        WebSocket    {new UriBuilder(server.Http) { Scheme = "ws", Path = "/ws" }.Uri}
        socket       {server.Socket}
        NATS         postrider request -s {server.Nats} stock.Find '"tea"'
        Ctrl-C ends it.
        """);
    var interrupted = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
    using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
    await interrupted.Task;
    return 0;

    void Stop(PosixSignalContext context)
    {
        context.Cancel = true;
        interrupted.TrySetResult();
    }
}

static async Task<int> AskAsync()
{
    await using var server = await StockServer.StartAsync();
    await using var callers = await StockCallers.ConnectAsync(server);
    foreach (var (way, streams, stock) in callers.All)
    {
        var reserved = await stock.ReserveAsync(new("tea", 10));
        string refusal;
        try
        {
            refusal = $"{(await stock.ReserveAsync(new("unicorn", 1))).Left.Quantity} unicorns";
        }
        catch (RpcFaultException<SoldOut> soldOut)
        {
            refusal = soldOut.Message;
        }

        var watched = streams ? "" : "; no streams";
        await foreach (var level in streams ? stock.WatchAsync("tea") : AsyncEnumerable.Empty<StockLevel>())
        {
            watched = $"; watched: {level.Quantity}";
            break;
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{way,-20} 10 of tea set aside, {reserved.Left.Quantity} left at {reserved.Left.Price}; {refusal}{watched}"));
    }

    return 0;
}
