using System.Runtime.CompilerServices;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>A server that goes and comes back while the client is in the middle of something.</summary>
public sealed class RestartTests : IAsyncLifetime
{
    private readonly CancellationToken _ct = new CancellationTokenSource(TimeSpan.FromSeconds(90)).Token;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-restart-");
    private ServerProcess _server = null!;
    private NatsClient _client = null!;
    private JetStreamContext _context = null!;

    public static TheoryData<ServerKind> Kinds => [ServerKind.Go, ServerKind.Postrider];

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Consume_goes_on_and_an_acknowledgement_given_behind_the_restart_counts(ServerKind kind)
    {
        await StartAsync(kind);
        var stream = await _context.CreateStreamAsync(new StreamConfig { Name = "S", Subjects = ["s"] }, _ct);
        for (var i = 1; i <= 10; i++) await PublishAsync(i);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "c", AckWait = TimeSpan.FromMinutes(10) }, _ct);
        var got = new List<int>();

        await foreach (var message in consumer.ConsumeAsync<int>(new ConsumeOptions { MaxMessages = 100 }, ct: _ct))
        {
            got.Add(message.Data);
            if (got.Count == 5)
            {
                await RestartAsync();
                for (var i = 11; i <= 20; i++) await PublishAsync(i);
            }
            await message.AckAndConfirmAsync(TimeSpan.FromSeconds(20), _ct);
            if (message.Data == 20) break;
        }

        // What was delivered before the restart comes once, as its time is not up; nothing is missing.
        Assert.Equal(Enumerable.Range(1, 20), got);
        Assert.Equal(0, (await consumer.RefreshAsync(_ct)).AckPendingCount);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Fetch_that_waits_ends_and_the_next_one_works(ServerKind kind)
    {
        await StartAsync(kind);
        var stream = await _context.CreateStreamAsync(new StreamConfig { Name = "S", Subjects = ["s"] }, _ct);
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "c" }, _ct);
        var waiting = consumer.FetchAsync<int>(5, new FetchOptions { Expires = TimeSpan.FromMinutes(5) }, ct: _ct).ToListAsync(_ct).AsTask();
        await Eventually.HoldsAsync(async () => (await consumer.RefreshAsync(_ct)).WaitingCount > 0);

        await RestartAsync();
        var nothing = await waiting;
        await PublishAsync(1);
        var one = await consumer.NextAsync<int>(TimeSpan.FromSeconds(20), ct: _ct);

        Assert.Empty(nothing);
        Assert.Equal(1, one!.Value.Data);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Watches_miss_nothing_and_repeat_nothing(ServerKind kind)
    {
        await StartAsync(kind);
        var bucket = await _client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = "b" }, _ct);
        await bucket.PutAsync("a", 1, ct: _ct);
        var everything = new Watch(bucket, new KeyValueWatchOptions(), _ct);
        var updates = new Watch(bucket, new KeyValueWatchOptions { UpdatesOnly = true }, _ct);
        await everything.Begun;
        await updates.Begun;

        await RestartAsync();
        await InsistAsync(() => bucket.PutAsync("b", 2, ct: _ct).AsTask());
        await bucket.DeleteAsync("a", ct: _ct);
        await bucket.PutAsync("end", 0, ct: _ct);

        Assert.Equal(["a Put", "b Put", "a Delete", "end Put"], await everything.Seen);
        Assert.Equal(["b Put", "a Delete", "end Put"], await updates.Seen);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Object_that_is_put_meanwhile_is_whole(ServerKind kind)
    {
        await StartAsync(kind);
        var bucket = await _client.CreateObjectStoreContext().CreateBucketAsync(new ObjectBucketConfig { Bucket = "b" }, _ct);
        var bytes = new byte[3_000_000];
        new Random(7).NextBytes(bytes);
        await using var source = new InterruptedStream(bytes, 1_000_000, RestartAsync);

        await bucket.PutAsync("o", source, _ct);

        Assert.Equal(bytes, await bucket.GetBytesAsync("o", _ct));
    }

    private async Task StartAsync(ServerKind kind)
    {
        _server = await ServerProcess.StartAsync(kind, "-js", "-sd", _folder.FullName);
        _client = await NatsClient.ConnectAsync(
            _server.Url,
            options =>
            {
                options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
                options.MaxReconnectDelay = TimeSpan.FromMilliseconds(200);
            },
            _ct);
        _context = _client.CreateJetStreamContext(new JetStreamOptions { PublishRetries = 100 });
    }

    private Task<Postrider.Client.JetStream.PublishAck> PublishAsync(int number) => InsistAsync(() => _context.PublishAsync("s", number, new() { MessageId = $"{number}" }, ct: _ct).AsTask());

    private async Task RestartAsync()
    {
        var back = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _client.EventOccurred += told =>
        {
            if (told.Kind == ClientEventKind.Reconnected) back.TrySetResult();
        };
        // Go's server may forget what a consumer had delivered just before it is killed, and never answers its acknowledgement then.
        if (_server.Kind == ServerKind.Go) await _server.EndAsync();
        else await _server.KillAsync();
        await _server.RestartAsync();
        await back.Task.WaitAsync(_ct);
        // Connections are served before streams: who asks too early asks again.
        await InsistAsync(() => _context.GetAccountInfoAsync(_ct));
    }

    private static Task<T> InsistAsync<T>(Func<Task<T>> ask, [CallerArgumentExpression(nameof(ask))] string what = "")
        => Eventually.SucceedsAsync<Postrider.Client.NatsClientException, T>(ask, what: what);

    private sealed class Watch
    {
        private readonly TaskCompletionSource _begun = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Watch(KeyValueBucket bucket, KeyValueWatchOptions options, CancellationToken ct)
            => Seen = Task.Run(async () =>
            {
                var seen = new List<string>();
                await foreach (var change in bucket.WatchAsync<int>(options: options with { InitialValuesDone = () => _begun.TrySetResult() }, ct: ct))
                {
                    seen.Add($"{change.Key} {change.Operation}");
                    if (change.Key == "end") break;
                }
                return seen;
            });

        public Task Begun => _begun.Task;

        public Task<List<string>> Seen { get; }
    }

    /// <summary>Bytes of which the second part comes after something has happened.</summary>
    private sealed class InterruptedStream(byte[] bytes, int at, Func<Task> interrupt) : MemoryStream(bytes, writable: false)
    {
        private bool _isDone;

        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (Position < at || _isDone) return await base.ReadAsync(buffer, cancellationToken);
            _isDone = true;
            await interrupt();
            return await base.ReadAsync(buffer, cancellationToken);
        }
    }
}
