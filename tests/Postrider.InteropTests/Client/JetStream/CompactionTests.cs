using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.InteropTests.Client.JetStream;

/// <summary>Blocks of a stream that lost most of their messages, while the stream is used.</summary>
public sealed class CompactionTests : IAsyncDisposable
{
    private const int Keys = 8000;
    private const int MessageBytes = 1024;

    private readonly CancellationToken _ct = new CancellationTokenSource(TimeSpan.FromSeconds(90)).Token;
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-compaction-");
    private readonly int[] _rounds = new int[Keys];
    private NatsBroker _broker = null!;
    private NatsClient _client = null!;
    private JetStreamContext _context = null!;

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData(StreamCompression.None)]
    [InlineData(StreamCompression.S2)]
    public async Task Blocks_are_rewritten_while_messages_arrive_and_keep_what_is_left(StreamCompression compression)
    {
        await StartAsync();
        var stream = await _context.CreateStreamAsync(Config with { Compression = compression }, _ct);

        // Each round leaves a twentieth of the messages of the one before.
        for (var round = 0; round < 6; round++) await PublishAsync(round, round == 0 ? Keys : Keys * 19 / 20);
        await Eventually.HoldsAsync(() => BlockBytes() is > Keys * MessageBytes and < 3L * Keys * MessageBytes);
        await AssertContentAsync(stream);

        await StopAsync();
        await StartAsync();
        await AssertContentAsync(await _context.GetStreamAsync("S", ct: _ct));
    }

    [Fact]
    public async Task Stream_that_is_deleted_while_blocks_are_rewritten_leaves_nothing_to_its_successor()
    {
        await StartAsync();
        for (var time = 0; time < 4; time++)
        {
            await _context.CreateStreamAsync(Config, _ct);
            for (var round = 0; round < 2; round++) await PublishAsync(round, round == 0 ? Keys : Keys * 19 / 20);
            await _context.DeleteStreamAsync("S", _ct);
            var next = await _context.CreateStreamAsync(Config, _ct);
            Array.Fill(_rounds, -1);
            await PublishAsync(7, 100);
            await AssertContentAsync(next);
            Assert.DoesNotContain(_folder.EnumerateFiles("*", SearchOption.AllDirectories), file => file.Name.EndsWith(".tmp", StringComparison.Ordinal));
            await _context.DeleteStreamAsync("S", _ct);
        }
    }

    private static StreamConfig Config => new() { Name = "S", Subjects = ["k.*"], MaxMessagesPerSubject = 1 };

    private async Task StartAsync()
    {
        _broker = await NatsBroker.StartAsync(
            new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new Postrider.Broker.JetStreamOptions { StoreDirectory = _folder.FullName } });
        _client = await NatsClient.ConnectAsync(_broker.Url!);
        _context = _client.CreateJetStreamContext();
    }

    private async Task StopAsync()
    {
        await _client.DisposeAsync();
        await _broker.DisposeAsync();
    }

    private async Task PublishAsync(int round, int keys)
    {
        await Parallel.ForEachAsync(
            Enumerable.Range(0, keys),
            new ParallelOptions { MaxDegreeOfParallelism = 64, CancellationToken = _ct },
            async (key, ct) => await _context.PublishAsync($"k.{key}", Payload(key, round), ct: ct));
        Array.Fill(_rounds, round, 0, keys);
    }

    private async Task AssertContentAsync(JetStreamStream stream)
    {
        Assert.Equal(_rounds.Count(static round => round >= 0), (int)(await stream.RefreshAsync(ct: _ct)).State.Messages);
        for (var key = 0; key < Keys; key += 37)
        {
            if (_rounds[key] < 0) continue;
            var message = await stream.GetLastMessageAsync<byte[]>($"k.{key}", ct: _ct);
            Assert.Equal(Payload(key, _rounds[key]), message!.Data);
        }
    }

    private long BlockBytes() => _folder.EnumerateFiles("*.blk", SearchOption.AllDirectories).Sum(static file => file.Exists ? file.Length : 0);

    private static byte[] Payload(int key, int round)
    {
        var payload = new byte[MessageBytes];
        new Random((key * 100) + round).NextBytes(payload);
        return payload;
    }
}
