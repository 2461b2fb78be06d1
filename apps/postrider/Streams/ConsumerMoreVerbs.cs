using System.CommandLine;
using System.Globalization;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.CommandLine.Contexts;
using Call = Postrider.CommandLine.Terminal.JetStreamVerb.Call;

namespace Postrider.CommandLine.Streams;

/// <summary>The rarer verbs of <c>postrider consumer</c>: <c>report</c>, <c>copy</c>, <c>sub</c> and <c>unpin</c>.</summary>
internal static class ConsumerMoreVerbs
{
    // Per fetch: more messages would only wait in memory.
    private const long MaxFetch = 100;

    internal static IEnumerable<Command> Create() => [Report(), Copy(), Sub(), Unpin()];

    private static Argument<string> Stream() => new("stream") { Description = "The stream" };

    private static Argument<string> Name() => new("consumer") { Description = "The consumer" };

    private static Command Report()
    {
        var stream = Stream();
        return JetStreamVerb.Create("report", """
            Show the progress of each consumer of a stream.
              postrider consumer report ORDERS
            """, RunAsync, stream);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var found = await call.Streams.GetStreamAsync(call.Get(stream), ct: ct);
            var messages = found.Info.State.Messages;
            var table = new TextTable("Consumer", "Mode", "Ack Policy", "Ack Wait", " Ack Pending", " Redelivered", " Unprocessed", " Share", " Ack Floor", "Paused")
                .MarkNumbers("Redelivered", CellState.Warning)
                .MarkNumbers("Paused", CellState.Warning);
            await call.WriteAllAsync(found.ListConsumersAsync(ct), ApiText.Write, table, (rows, info) => rows.Add(
                info.Name,
                info.Config.DeliverSubject is null ? "Pull" : "Push",
                info.Config.AckPolicy.ToString(),
                info.Config.AckPolicy == AckPolicy.None ? "" : Duration.Text(info.Config.AckWait),
                Quantity.Text(info.AckPendingCount),
                Quantity.Text(info.RedeliveredCount),
                Quantity.Text(info.PendingCount),
                messages == 0 ? "0 %" : string.Create(CultureInfo.InvariantCulture, $"{100.0 * info.PendingCount / messages:0.#} %"),
                Quantity.Text(info.AckFloor.StreamSequence),
                info.Paused ? $"for {Duration.Text(info.PauseRemaining)}" : ""));
        }
    }

    private static Command Copy()
    {
        var (stream, name, target, flags) = (Stream(), Name(), new Argument<string>("target") { Description = "The new consumer's name" }, new ConsumerFlags());
        return JetStreamVerb.Create("copy", """
            Create a consumer with the settings of another; it starts at the position that they define.
              postrider consumer copy ORDERS billing audit --ack none
            """, RunAsync, [stream, name, target, .. flags.All]);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            if (call.Get(target) == call.Get(name)) throw new ContextException($"A consumer cannot be copied onto itself: give the copy of '{call.Get(name)}' another name.");
            var source = await call.Streams.GetConsumerAsync(call.Get(stream), call.Get(name), ct);
            var config = await flags.ApplyAsync(source.Info.Config with { Name = call.Get(target), DurableName = source.Info.Config.DurableName is null ? null : call.Get(target) }, call, ct);
            var created = (await call.Streams.CreateConsumerAsync(call.Get(stream), config, ct)).Info;
            await call.WriteAsync(ApiText.Write(created), ConsumerText.Readable(created));
        }
    }

    private static Command Sub()
    {
        var (stream, name) = (Stream(), Name());
        var count = new Option<long>("--count", "-c") { Description = "Stop after this many messages" }.AtLeast(1);
        var keep = new Option<bool>("--no-ack") { Description = "Do not acknowledge" };
        return JetStreamVerb.CreateEndless("sub", """
            Show and acknowledge a consumer's messages until Ctrl+C.
              postrider consumer sub ORDERS billing
            """, RunAsync, stream, name, count, keep);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var consumer = await call.Streams.GetConsumerAsync(call.Get(stream), call.Get(name), ct);
            await Console.Error.WriteLineAsync($"Consuming {consumer.Stream} as {consumer.Name}");
            if (call.Get(count) is > 0 and var wanted)
            {
                // Only as many are requested as are shown: messages fetched ahead would count as delivered.
                while (wanted > 0)
                {
                    await foreach (var message in consumer.FetchAsync<byte[]>((int)Math.Min(wanted, MaxFetch), ct: ct))
                    {
                        await ShowAsync(consumer, message);
                        wanted--;
                    }
                }
                return;
            }
            await foreach (var message in consumer.ConsumeAsync<byte[]>(ct: ct)) await ShowAsync(consumer, message);

            async Task ShowAsync(JetStreamConsumer consumer, JetStreamMessage<byte[]> message)
            {
                await call.WriteAsync(JetStreamText.Json(message), JetStreamText.Readable(message));
                if (!call.Get(keep) && consumer.Info.Config.AckPolicy != AckPolicy.None) await message.AckAndConfirmAsync(ct: ct);
            }
        }
    }

    private static Command Unpin()
    {
        var (stream, name, group) = (Stream(), Name(), new Argument<string>("group") { Description = "The priority group" });
        return JetStreamVerb.Create("unpin", """
            Release the pinned client of a priority group, so that another one is chosen.
              postrider consumer unpin ORDERS billing workers
            """, RunAsync, stream, name, group);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            await (await call.Streams.GetConsumerAsync(call.Get(stream), call.Get(name), ct)).UnpinAsync(call.Get(group), ct);
            await call.WriteAsync(JsonText.Object(("unpinned", call.Get(group))), $"Unpinned group {call.Get(group)} of {call.Get(name)}");
        }
    }
}
