using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;

namespace Postrider.InteropTests.Client.JetStream;

public abstract class OrderedConsumerTests(IServerFixture fixture) : JetStreamStory(fixture)
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Stream_is_read_in_order(bool push)
    {
        var stream = await StreamAsync();
        await FillAsync(5000);

        var got = await ReadAsync(stream.CreateOrderedConsumer(new OrderedConsumerOptions { UsesPush = push }), 5000);

        Assert.Equal(Enumerable.Range(1, 5000), got);
        // The reader's consumer goes with the reader.
        await Eventually.HoldsAsync(async () => !await stream.ListConsumerNamesAsync(Ct).AnyAsync(Ct));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Consumer_that_is_deleted_meanwhile_is_made_anew(bool push)
    {
        var stream = await StreamAsync();
        await FillAsync(100);
        var ordered = stream.CreateOrderedConsumer(new OrderedConsumerOptions { UsesPush = push, Heartbeat = TimeSpan.FromMilliseconds(500), NamePrefix = $"reader{push}" });

        var got = new List<int>();
        await foreach (var message in ordered.ConsumeAsync<int>(ct: Ct))
        {
            got.Add(message.Data);
            if (got.Count is 100 or 200)
            {
                await foreach (var name in stream.ListConsumerNamesAsync(Ct)) await stream.DeleteConsumerAsync(name, Ct);
                await FillAsync(100);
            }
            if (got.Count == 300) break;
        }

        Assert.Equal(Enumerable.Range(0, 300).Select(i => (i % 100) + 1), got);
    }

    [Fact]
    public async Task Reading_begins_where_it_is_told_and_takes_what_it_is_told()
    {
        var stream = await StreamAsync();
        foreach (var subject in new[] { "a", "b", "c", "a", "b" }) await Context.PublishAsync($"{Name}.{subject}", subject, ct: Ct);

        var filtered = await TextsAsync(new OrderedConsumerOptions { FilterSubjects = [$"{Name}.a", $"{Name}.c"] }, 3);
        var last = await TextsAsync(new OrderedConsumerOptions { DeliverPolicy = DeliverPolicy.LastPerSubject, FilterSubjects = [$"{Name}.>"] }, 3);
        var from = await TextsAsync(new OrderedConsumerOptions { DeliverPolicy = DeliverPolicy.ByStartSequence, StartSequence = 4 }, 2);

        Assert.Equal(["a", "c", "a"], filtered);
        Assert.Equal(["c", "a", "b"], last);
        Assert.Equal(["a", "b"], from);

        async Task<List<string>> TextsAsync(OrderedConsumerOptions options, int count)
        {
            var got = new List<string>();
            await foreach (var message in stream.CreateOrderedConsumer(options).ConsumeAsync<string>(ct: Ct))
            {
                got.Add(message.Data);
                if (got.Count == count) break;
            }
            return got;
        }
    }

    [Fact]
    public async Task Stream_that_is_not_there_is_an_error()
    {
        var error = await Assert.ThrowsAsync<JetStreamException>(() => ReadAsync(Context.CreateOrderedConsumer("NONE"), 1));

        Assert.Equal(JetStreamErrors.StreamNotFound, error.ErrorCode);
    }

    [Fact]
    public async Task Reading_can_be_cancelled_either_way()
    {
        var stream = await StreamAsync();
        using var cancellation = new CancellationTokenSource();
        var byArgument = ReadAsync(stream.CreateOrderedConsumer(), 1, cancellation.Token);
        var byEnumeration = Task.Run(async () =>
        {
            await foreach (var message in stream.CreateOrderedConsumer().ConsumeAsync<int>(ct: Ct).WithCancellation(cancellation.Token)) Assert.Fail($"{message.Data}");
        });

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => byArgument);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => byEnumeration);
    }

    private async Task<List<int>> ReadAsync(OrderedConsumer consumer, int count, CancellationToken ct = default)
    {
        var got = new List<int>();
        await foreach (var message in consumer.ConsumeAsync<int>(ct: ct.CanBeCanceled ? ct : Ct))
        {
            got.Add(message.Data);
            if (got.Count == count) break;
        }
        return got;
    }

    private async Task FillAsync(int count)
    {
        await using var publisher = Context.CreatePublisher();
        for (var i = 1; i <= count; i++) await publisher.PostAsync($"{Name}.n", i, ct: Ct);
        await publisher.FlushAsync(Ct);
    }
}
