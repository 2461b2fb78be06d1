using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.InteropTests.Client.JetStream;

namespace Postrider.InteropTests.JetStream;

/// <summary>Backups go from Go's server to ours and back: how a stream moves to a cluster, or from it.</summary>
public sealed class BackupExchangeTests(GoJetStreamFixture go, BrokerJetStreamFixture broker) : IClassFixture<GoJetStreamFixture>, IClassFixture<BrokerJetStreamFixture>
{
    [Theory]
    [InlineData("FROM_GO", StreamStorage.File, 200)]
    [InlineData("FROM_GO_MEMORY", StreamStorage.Memory, 20)]
    public async Task Backup_of_Go_becomes_our_stream(string name, StreamStorage storage, int messages)
    {
        await using var from = await go.ConnectAsync();
        await using var to = await broker.ConnectAsync();

        await MoveAsync(from, to, name, storage, messages);
    }

    [Theory]
    [InlineData("FROM_US", StreamStorage.File, 200)]
    [InlineData("FROM_US_MEMORY", StreamStorage.Memory, 20)]
    public async Task Our_backup_becomes_a_stream_of_Go(string name, StreamStorage storage, int messages)
    {
        await using var from = await broker.ConnectAsync();
        await using var to = await go.ConnectAsync();

        await MoveAsync(from, to, name, storage, messages);
    }

    private static async Task MoveAsync(NatsClient from, NatsClient to, string name, StreamStorage storage, int messages)
    {
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(60));
        var ct = patience.Token;
        var config = new StreamConfig { Name = name, Subjects = [$"{name}.>"], Storage = storage, Metadata = new Dictionary<string, string> { ["moved"] = "yes" } };
        var source = await from.CreateJetStreamContext().CreateStreamAsync(config, ct);
        for (var i = 1; i <= messages; i++)
        {
            // Some that compress and some that do not; together several of S2's blocks.
            var payload = i % 3 == 0 ? new string('x', 20_000) : Convert.ToBase64String(Bytes(i, 900));
            await from.CreateJetStreamContext().PublishAsync($"{name}.{i % 5}", payload, new PublishOptions { MessageId = $"{i}" }, new NatsHeaders { ["Number"] = $"{i}" }, ct: ct);
        }
        await source.DeleteMessageAsync(7, ct: ct);
        var consumer = await source.CreateConsumerAsync(new ConsumerConfig { DurableName = "work", AckWait = TimeSpan.FromMinutes(5) }, ct);
        var number = 0;
        await foreach (var message in consumer.FetchAsync<string>(10, ct: ct))
        {
            if (++number is <= 4 or 6) await message.AckAndConfirmAsync(ct: ct);
        }

        using var archive = new MemoryStream();
        var backup = await source.BackupAsync(archive, ct: ct);
        archive.Position = 0;
        var moved = await to.CreateJetStreamContext().RestoreStreamAsync(backup, archive, ct);

        var (before, after) = ((await source.RefreshAsync(ct: ct)).State, (await moved.RefreshAsync(ct: ct)).State);
        Assert.Equal(
            (before.Messages, before.FirstSequence, before.LastSequence, before.DeletedCount, before.SubjectCount, before.LastTime),
            (after.Messages, after.FirstSequence, after.LastSequence, after.DeletedCount, after.SubjectCount, after.LastTime));
        Assert.Equal("yes", moved.Info.Config.Metadata!["moved"]);
        for (ulong sequence = 1; sequence <= (ulong)messages; sequence += sequence == 6 ? 2UL : 1UL)
        {
            var (one, other) = (await source.GetMessageAsync<string>(sequence, ct: ct), await moved.GetMessageAsync<string>(sequence, ct: ct));
            Assert.Equal((one!.Subject, one.Data, one.Time, $"{one.Headers!["Number"]}"), (other!.Subject, other.Data, other.Time, $"{other.Headers!["Number"]}"));
        }
        var (left, right) = ((await source.GetConsumerAsync("work", ct)).Info, (await moved.GetConsumerAsync("work", ct)).Info);
        Assert.Equal(
            (left.AckFloor.StreamSequence, left.Delivered.StreamSequence, left.AckPendingCount, left.PendingCount),
            (right.AckFloor.StreamSequence, right.Delivered.StreamSequence, right.AckPendingCount, right.PendingCount));
        var next = await (await moved.GetConsumerAsync("work", ct)).NextAsync<string>(ct: ct);
        Assert.Equal(12UL, next!.Value.Sequence);
    }

    private static byte[] Bytes(int seed, int count)
    {
        var bytes = new byte[count];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }
}
