using System.Globalization;
using Postrider.Client;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Cluster;

/// <summary>A client that knows one server only, which is killed and started again: it reads numbers, and publishes its own one after the other.</summary>
internal sealed class ClientOfKilledServer : IAsyncDisposable
{
    // A publish and its round trip end by then, with success or an error.
    private static readonly TimeSpan PublishLimit = TimeSpan.FromSeconds(30);

    private readonly CancellationTokenSource _end = new();
    private readonly NatsClient _client;
    private readonly string _subject;
    private readonly Task _publishing;
    private int _last = -1;
    private int _gaps;
    private int _received;
    private int _published;
    private int _failed;

    private ClientOfKilledServer(NatsClient client, string from, string to)
    {
        (_client, _subject) = (client, to);
        client.SubscribeRaw(from, Read);
        _publishing = PublishAsync();
    }

    /// <summary>How often numbers were missing between two that were received in order.</summary>
    public int Gaps => Volatile.Read(ref _gaps);

    /// <summary>How many numbers were received.</summary>
    public int Received => Volatile.Read(ref _received);

    /// <summary>How many publishes the server has confirmed.</summary>
    public int Published => Volatile.Read(ref _published);

    /// <summary>How many publishes ended with an error.</summary>
    public int Failed => Volatile.Read(ref _failed);

    /// <summary>A number that came twice or late, and the one before it.</summary>
    public string? Repeated { get; private set; }

    /// <summary>Connects one.</summary>
    /// <param name="server">The one that it stays with.</param>
    /// <param name="from">The subject of the numbers that it reads.</param>
    /// <param name="to">The subject to which it publishes.</param>
    public static async Task<ClientOfKilledServer> StartAsync(ServerProcess server, string from, string to) => new(
        await NatsClient.ConnectAsync(
            server.Url,
            static options =>
            {
                options.UseDiscoveredServers = false;
                options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
                options.MaxReconnectDelay = TimeSpan.FromMilliseconds(200);
            }),
        from,
        to);

    /// <summary>Waits until it has received and published more.</summary>
    public async Task AwaitMoreAsync(int count = 200)
    {
        var (received, published) = (Received, Published);
        await Eventually.HoldsAsync(() => Received >= received + count, what: $"{count} more numbers at the client of the killed server");
        await Eventually.HoldsAsync(() => Published > published, what: "one more publish of the client of the killed server");
    }

    /// <summary>Publishes nothing more, and fails if a publish ended in another way than with success or the client's error.</summary>
    public async Task StopPublishingAsync()
    {
        await _end.CancelAsync();
        await _publishing;
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        await _client.DisposeAsync();
        _end.Dispose();
    }

    // On the receiving thread, so in the order of the connection.
    private void Read(RawMessage message)
    {
        var number = int.Parse(message.Payload, CultureInfo.InvariantCulture);
        if (number <= _last) Repeated ??= $"{number} after {_last}";
        else if (number > _last + 1 && _last >= 0) Interlocked.Increment(ref _gaps);
        _last = number;
        Interlocked.Increment(ref _received);
    }

    private async Task PublishAsync()
    {
        for (var number = 0; !_end.IsCancellationRequested; number++)
        {
            using var limit = new CancellationTokenSource(PublishLimit);
            try
            {
                await _client.PublishAsync(_subject, number, ct: limit.Token);
                await _client.FlushAsync(limit.Token);
                Interlocked.Increment(ref _published);
            }
            catch (NatsClientException)
            {
                Interlocked.Increment(ref _failed);
            }
            await Task.Yield();
        }
    }
}
