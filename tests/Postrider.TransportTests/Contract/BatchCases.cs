using System.Collections.Concurrent;
using System.Text;
using System.Text.Json.Serialization;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Serialization;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Case 83: batches when their listener stops.</summary>
public abstract class BatchCases(TransportHarness harness) : OrderCases(harness)
{
    private const int Messages = 30;

    private static readonly JsonSerializerProvider s_json = new(BatchJson.Default);

    [Fact]
    public async Task Case_83_batch_in_the_making_is_handled_or_returned_when_its_listener_stops()
    {
        var destination = await NewDestinationAsync();
        var log = new BatchLog();
        await using var services = new ServiceCollection().AddSingleton(log).AddPostrider().BuildServiceProvider();
        await using var first = Pump(services, destination, TimeSpan.FromMinutes(1));
        await first.StartAsync(Ct);
        var sender = Transport.OpenSender(destination);
        var sends = Enumerable.Range(0, Messages).Select(i => sender.SendAsync(default, Encoding.UTF8.GetBytes($$"""{"number":{{i}}}"""), Ct).AsTask()).ToArray();
        await log.Begun.Task.WaitAsync(Ct);

        // What follows the first batch is in the making, or on its way.
        await first.DisposeAsync();

        if (!Has(TransportAbilities.Durability))
        {
            // Its senders know which messages were handled.
            await Task.WhenAll(sends).ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
            Assert.All(sends, static send => Assert.True(send.IsCompletedSuccessfully || send.Exception?.InnerException is PostriderException { Error: PostriderError.NoListener }));
            Assert.Equal(sends.Index().Where(static send => send.Item.IsCompletedSuccessfully).Select(static send => send.Index), log.Handled.Select(static handled => handled.Number).Order());
            return;
        }

        await Task.WhenAll(sends);
        await using var second = Pump(services, destination, TimeSpan.FromMilliseconds(50));
        await second.StartAsync(Ct);
        // At least once: a server under load may deliver a message again although it was settled.
        await Eventually.HoldsAsync(() => log.Handled.DistinctBy(static handled => handled.Number).Count() == Messages);
        // Case 40 says which servers count what comes back.
        if (Harness.MaxCountedReturns == 0)
            Assert.All(log.Handled.DistinctBy(static handled => handled.Number), static handled => Assert.Equal(1, handled.Attempt));
    }

    private MessagePump Pump(ServiceProvider services, string destination, TimeSpan wait)
        => new MessagePump(Transport, s_json, services).Batch<BatchWork>(Harness.Binding(destination) with { MaxConcurrency = 8 }, new BatchOptions { MaxMessages = 8, MaxWait = wait });
}

internal sealed partial record BatchWork(int Number) : ICommand;

internal sealed class BatchLog
{
    public ConcurrentQueue<(int Number, long Attempt)> Handled { get; } = new();

    public TaskCompletionSource Begun { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}

internal static class BatchHandlers
{
    [Handler]
    public static async Task Handle(MessageBatch<BatchWork> batch, BatchLog log)
    {
        log.Begun.TrySetResult();
        await Task.Yield();
        for (var i = 0; i < batch.Count; i++)
            log.Handled.Enqueue((batch[i].Number, batch.DeliveryOf(i)?.Count ?? 1));
    }
}

[JsonSerializable(typeof(BatchWork))]
internal sealed partial class BatchJson : JsonSerializerContext;
