using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Extensions.Logging;
using Postrider.Client;
using Postrider.Samples.OrderPipeline;

const string Usage = """
    Orders through streams: a work queue, retries, dead letters and a projection. Kill any of its processes at any time.

    order-pipeline worker [--server URL] [--replicas N] [--work MILLISECONDS]
      packs orders and keeps their states, until Ctrl-C
    order-pipeline sell [--server URL] [--replicas N]
      reads lines "ID ITEM QUANTITY" and prints "stored ID" for each stored order
    order-pipeline states [--server URL]
      shows the state of each order

    URL is one address or several, separated by commas; default nats://127.0.0.1:4222.
    """;

var (server, replicas, work) = ("nats://127.0.0.1:4222", 1, TimeSpan.Zero);
for (var i = 1; i + 1 < args.Length; i += 2)
{
    var isNumber = int.TryParse(args[i + 1], NumberStyles.None, CultureInfo.InvariantCulture, out var number);
    if (args[i] == "--server") server = args[i + 1];
    else if (args[i] == "--replicas" && isNumber) replicas = number;
    else if (args[i] == "--work" && isNumber) work = TimeSpan.FromMilliseconds(number);
    else return Complain();
}
if (args.Length % 2 == 0) return Complain();

using var stopped = new CancellationTokenSource();
using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);
using var logging = LoggerFactory.Create(static builder => builder.AddSimpleConsole(static console => console.SingleLine = true));
try
{
    // The broker may start later than its clients, and restart.
    await using var client = await NatsClient.ConnectAsync(
        server,
        options =>
        {
            options.Name = $"order-pipeline {args[0]}";
            options.RetryFirstConnect = true;
            options.RequestTimeout = TimeSpan.FromSeconds(2);
            options.MaxReconnectDelay = TimeSpan.FromSeconds(1);
        },
        stopped.Token);
    return args[0] switch
    {
        "worker" => await WorkAsync(client),
        "sell" => await SellAsync(client),
        "states" => await ShowAsync(client),
        _ => Complain(),
    };
}
catch (OperationCanceledException) when (stopped.IsCancellationRequested)
{
    return 0;
}
catch (NatsClientException error)
{
    Console.Error.WriteLine(error.Message);
    return 1;
}

async Task<int> WorkAsync(NatsClient client)
{
    await using var worker = await Worker.StartAsync(client, logging, replicas, work, stopped.Token);
    Console.WriteLine("working");
    await Task.Delay(Timeout.Infinite, stopped.Token).ContinueWith(static _ => { }, TaskScheduler.Default);
    return 0;
}

async Task<int> SellAsync(NatsClient client)
{
    await using var seller = await Seller.StartAsync(client, replicas, stopped.Token);
    while (await Console.In.ReadLineAsync(stopped.Token) is { } line)
    {
        if (line.Split(' ') is not [var id, var item, var count] || !int.TryParse(count, NumberStyles.None, CultureInfo.InvariantCulture, out var quantity))
            return Complain();
        await seller.SellAsync(new PackOrder(id, item, quantity), stopped.Token);
        Console.WriteLine($"stored {id}");
    }
    return 0;
}

async Task<int> ShowAsync(NatsClient client)
{
    var bucket = await Topology.EnsureAsync(client, replicas, stopped.Token);
    await foreach (var key in bucket.GetKeysAsync(ct: stopped.Token))
    {
        var (step, text, attempts, reason) = (await bucket.GetAsync(key, OrderStates.Serializer, stopped.Token)).Value;
        Console.WriteLine($"{key}: {text} {step.ToString().ToLowerInvariant()} after {attempts} attempts {reason}".TrimEnd());
    }
    return 0;
}

void Stop(PosixSignalContext context)
{
    context.Cancel = true;
    stopped.Cancel();
}

static int Complain()
{
    Console.Error.WriteLine(Usage);
    return 1;
}
