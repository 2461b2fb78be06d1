using System.CommandLine;
using Postrider.Client;
using Postrider.Client.JetStream;
using Postrider.Client.JetStream.Models;
using Postrider.CommandLine.Streams;
using Call = Postrider.CommandLine.Terminal.JetStreamVerb.Call;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider consumer</c>.</summary>
internal static class ConsumerVerb
{
    internal static Command Create()
    {
        var consumers = new Command("consumer", "Manage the consumers of streams.") { Add(), Edit(), Info(), List(), Remove(), Next(), Pause(), Resume() };
        foreach (var verb in ConsumerMoreVerbs.Create()) consumers.Subcommands.Add(verb);
        return consumers;
    }

    private static Argument<string> Stream() => new("stream") { Description = "The stream" };

    private static Argument<string> Name() => new("consumer") { Description = "The consumer" };

    private static Command Add()
    {
        var (stream, name, flags) = (Stream(), Name(), new ConsumerFlags());
        return JetStreamVerb.Create("add", """
            Create a durable consumer.
              postrider consumer add ORDERS billing --filter 'orders.new.>' --ack-wait 30s --max-deliver 5
              postrider consumer add ORDERS audit --deliver new --ack none
            """, RunAsync, [stream, name, .. flags.All]);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var config = await flags.ApplyAsync(new ConsumerConfig { DurableName = call.Get(name) }, call, ct);
            await ShowAsync(call, (await call.Streams.CreateConsumerAsync(call.Get(stream), config, ct)).Info);
        }
    }

    private static Command Edit()
    {
        var (stream, name, flags) = (Stream(), Name(), new ConsumerFlags());
        return JetStreamVerb.RequireOneOf(JetStreamVerb.Create("edit", """
            Change the given settings and keep the others.
              postrider consumer edit ORDERS billing --max-deliver 10
            """, RunAsync, [stream, name, .. flags.All]), flags.All);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var consumer = await call.Streams.GetConsumerAsync(call.Get(stream), call.Get(name), ct);
            await ShowAsync(call, await consumer.UpdateAsync(await flags.ApplyAsync(consumer.Info.Config, call, ct), ct));
        }
    }

    private static Command Info()
    {
        var (stream, name) = (Stream(), Name());
        return JetStreamVerb.Create("info", """
            Show a consumer.
              postrider consumer info ORDERS billing --json
            """, RunAsync, stream, name);

        async Task RunAsync(Call call, CancellationToken ct)
            => await ShowAsync(call, (await call.Streams.GetConsumerAsync(call.Get(stream), call.Get(name), ct)).Info);
    }

    private static Command List()
    {
        var stream = Stream();
        return JetStreamVerb.Create("ls", """
            List a stream's consumers.
              postrider consumer ls ORDERS
            """, RunAsync, stream);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var found = await call.Streams.GetStreamAsync(call.Get(stream), ct: ct);
            await call.WriteAllAsync(found.ListConsumersAsync(ct), ApiText.Write, ConsumerText.Table(), ConsumerText.AddTo);
        }
    }

    private static Command Remove()
    {
        var (stream, name) = (Stream(), Name());
        return JetStreamVerb.CreateConfirmed("rm", """
            Delete a consumer.
              postrider consumer rm ORDERS billing
            """, call => $"delete consumer {call.Get(name)} of stream {call.Get(stream)}", RunAsync, stream, name);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            await call.Streams.DeleteConsumerAsync(call.Get(stream), call.Get(name), ct);
            await call.WriteAsync($$"""{"deleted":{{JsonText.Quote(call.Get(name))}}}""", $"Deleted {call.Get(name)}");
        }
    }

    private static Command Next()
    {
        var (stream, name) = (Stream(), Name());
        var count = new Option<int>("--count", "-c") { Description = "Number of messages", DefaultValueFactory = _ => 1 }.AtLeast(1);
        var wait = JetStreamVerb.Wait("--wait", "How long to wait for messages");
        var keep = new Option<bool>("--no-ack") { Description = "Do not acknowledge" };
        return JetStreamVerb.Create("next", """
            Fetch, show and acknowledge messages.
              postrider consumer next ORDERS billing --count 10 --wait 2s
            """, RunAsync, stream, name, count, wait, keep);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var consumer = await call.Streams.GetConsumerAsync(call.Get(stream), call.Get(name), ct);
            var options = new FetchOptions { Expires = call.Get(wait) ?? TimeSpan.FromSeconds(5) };
            var isEmpty = true;
            await foreach (var message in consumer.FetchAsync<byte[]>(call.Get(count), options, ct: ct))
            {
                isEmpty = false;
                await call.WriteAsync(JetStreamText.Json(message), JetStreamText.Readable(message));
                if (!call.Get(keep) && consumer.Info.Config.AckPolicy != AckPolicy.None) await message.AckAndConfirmAsync(ct: ct);
            }
            if (isEmpty) throw new NatsClientException(NatsErrorCode.RequestTimeout, $"Consumer {consumer.Name} of stream {consumer.Stream} had no message within {Duration.Text(options.Expires)}.");
        }
    }

    private static Command Pause()
    {
        var (stream, name) = (Stream(), Name());
        var time = JetStreamVerb.Time("--for", "How long");
        time.Required = true;
        return JetStreamVerb.Create("pause", """
            Pause a consumer.
              postrider consumer pause ORDERS billing --for 10m
            """, RunAsync, stream, name, time);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var consumer = await call.Streams.GetConsumerAsync(call.Get(stream), call.Get(name), ct);
            var remaining = await consumer.PauseAsync(TimeProvider.System.GetUtcNow() + call.Get(time)!.Value, ct);
            await call.WriteAsync($$"""{"pause_remaining_ms":{{(long)remaining.TotalMilliseconds}}}""", $"Paused for {Duration.Text(remaining)}");
        }
    }

    private static Command Resume()
    {
        var (stream, name) = (Stream(), Name());
        return JetStreamVerb.Create("resume", """
            Resume a paused consumer.
              postrider consumer resume ORDERS billing
            """, RunAsync, stream, name);

        async Task RunAsync(Call call, CancellationToken ct)
        {
            var consumer = await call.Streams.GetConsumerAsync(call.Get(stream), call.Get(name), ct);
            await consumer.ResumeAsync(ct);
            await ShowAsync(call, await consumer.RefreshAsync(ct));
        }
    }

    private static Task ShowAsync(Call call, ConsumerInfo info) => call.WriteAsync(ApiText.Write(info), ConsumerText.Readable(info));
}
