using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.Client.KeyValue;
using Postrider.Client.ObjectStore;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>Frames that are lost, and connections that end, at the worst moment.</summary>
public sealed class InterruptionTests : IAsyncLifetime
{
    private readonly CancellationToken _ct = new CancellationTokenSource(TimeSpan.FromSeconds(60)).Token;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-interrupt-");
    private ServerProcess _server = null!;
    private FrameProxy _proxy = null!;
    private NatsClient _client = null!;

    public static TheoryData<ServerKind> Kinds => [ServerKind.Go, ServerKind.Postrider];

    public ValueTask InitializeAsync() => default;

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _proxy.DisposeAsync();
        await _server.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Object_whose_chunk_is_lost_on_its_way_has_its_chunks_in_order(ServerKind kind)
    {
        await StartAsync(kind);
        var objects = _client.CreateObjectStoreContext(new JetStreamOptions { Timeout = TimeSpan.FromSeconds(1) });
        var bucket = await objects.CreateBucketAsync(new ObjectBucketConfig { Bucket = "b" }, _ct);
        var bytes = new byte[40 * 1000];
        new Random(11).NextBytes(bytes);
        var chunks = 0;
        _proxy.OfClient = line => line.Contains(" $O.b.C.", StringComparison.Ordinal) && ++chunks is 5 or 9 ? FrameProxy.Fate.Lose : FrameProxy.Fate.Pass;

        await bucket.PutAsync(new ObjectMeta { Name = "o", ChunkBytes = 1000 }, new MemoryStream(bytes), _ct);

        Assert.InRange(chunks, 42, 100);
        Assert.Equal(bytes, await bucket.GetBytesAsync("o", _ct));
        // Each chunk once, and the message about the object.
        Assert.Equal(41UL, (await bucket.GetStatusAsync(_ct)).Stream.State.Messages);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Keys_are_listed_once_and_all_of_them_although_the_connection_ends_meanwhile(ServerKind kind)
    {
        const int Keys = 200;
        await StartAsync(kind);
        var bucket = await _client.CreateKeyValueContext().CreateBucketAsync(new KeyValueConfig { Bucket = "b", History = 5 }, _ct);
        for (var value = 0; value < 3; value++)
            for (var key = 0; key < Keys; key++) await bucket.PutAsync($"k{key}", value, ct: _ct);
        // Deleted behind the place where the connection ends: its earlier value must not show up.
        await bucket.DeleteAsync($"k{Keys - 1}", ct: _ct);
        await using var other = await NatsClient.ConnectAsync(_server.Url, ct: _ct);
        var sameBucket = await other.CreateKeyValueContext().GetBucketAsync("b", _ct);
        var delivered = 0;
        _proxy.OfServer = line => line.Contains(" $JS.ACK.KV_b.", StringComparison.Ordinal) && ++delivered == Keys / 2 ? FrameProxy.Fate.Cut : FrameProxy.Fate.Pass;

        var listed = new List<string>();
        await foreach (var key in bucket.GetKeysAsync(ct: _ct))
        {
            listed.Add(key);
            // Between the two halves: the key is another message now.
            if (listed.Count == 10) await sameBucket.PutAsync("k150", 7, ct: _ct);
        }

        Assert.True(delivered > Keys / 2);
        Assert.Equal(listed.Distinct().Count(), listed.Count);
        Assert.Equal(Enumerable.Range(0, Keys - 1).Select(key => $"k{key}").Order(StringComparer.Ordinal), listed.Order(StringComparer.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Consume_goes_on_at_once_when_the_connection_ends_again_while_it_recovers(ServerKind kind)
    {
        await StartAsync(kind);
        var context = _client.CreateJetStreamContext(new JetStreamOptions { Timeout = TimeSpan.FromSeconds(1) });
        var stream = await context.CreateStreamAsync(new StreamConfig { Name = "S", Subjects = ["s"] }, _ct);
        // The server may hand the second message to the connection that just ended: then it comes again after so long.
        var consumer = await stream.CreateConsumerAsync(new ConsumerConfig { DurableName = "c", AckWait = TimeSpan.FromSeconds(1) }, _ct);
        await context.PublishAsync("s", 1, ct: _ct);
        var isCut = false;
        var recovered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _proxy.OfServer = line => !isCut && (isCut = line.Contains("$JS.ACK.S.c.", StringComparison.Ordinal)) ? FrameProxy.Fate.Cut : FrameProxy.Fate.Pass;
        _proxy.OfClient = line => line.Contains(".CONSUMER.INFO.S.c", StringComparison.Ordinal) && recovered.TrySetResult() ? FrameProxy.Fate.Cut : FrameProxy.Fate.Pass;
        var reading = Task.Run(async () =>
        {
            await foreach (var message in consumer.ConsumeAsync<int>(ct: _ct))
                if (message.Data == 2) break;
        });

        await recovered.Task.WaitAsync(_ct);
        await using var other = await NatsClient.ConnectAsync(_server.Url, ct: _ct);
        await other.CreateJetStreamContext().PublishAsync("s", 2, ct: _ct);

        // Without a word of the server's the loop asks after twice its heartbeat, which is half a minute.
        await reading.WaitAsync(TimeSpan.FromSeconds(12), _ct);
    }

    private async Task StartAsync(ServerKind kind)
    {
        _server = await ServerProcess.StartAsync(kind, "-js", "-sd", _folder.FullName);
        _proxy = new FrameProxy(_server.Port);
        _client = await NatsClient.ConnectAsync(
            _proxy.Url,
            options =>
            {
                options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
                options.MaxReconnectDelay = TimeSpan.FromMilliseconds(200);
            },
            _ct);
    }
}
