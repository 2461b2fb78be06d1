using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Envelopes;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Cases 40 to 49: how listeners end, and what happens when the server does.</summary>
public abstract class LifecycleCases(TransportHarness harness) : BatchCases(harness)
{
    [Fact]
    public async Task Case_40_disposed_listener_finishes_what_runs_and_returns_the_rest_without_an_attempt()
    {
        var destination = await NewDestinationAsync();
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var binding = Harness.Binding(destination) with { MaxConcurrency = 1 };
        var first = await ListenAsync(binding, _ =>
        {
            begun.TrySetResult();
            return release.Task;
        });
        // In memory a send waits for a free place.
        var sending = Enumerable.Range(0, 4).Select(i => SendAsync(destination, $"{i}").AsTask()).ToArray();
        await begun.Task.WaitAsync(Ct);
        if (Has(TransportAbilities.Durability))
            await Task.WhenAll(sending);

        var disposing = first.DisposeAsync().AsTask();
        Assert.False(disposing.IsCompleted);
        release.SetResult();
        await disposing;

        var done = (await first.TakeAsync(1)).Select(Text).ToList();
        if (!Has(TransportAbilities.Durability))
        {
            // Nothing keeps the others: their senders were told, or they were handled before the listener ended.
            await Task.WhenAll(sending).ContinueWith(static _ => { }, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
            Assert.All(sending, static send => Assert.True(send.IsCompletedSuccessfully || send.Exception?.InnerException is PostriderException { Error: PostriderError.NoListener }));
            return;
        }

        await using var second = await ListenAsync(binding);
        var rest = await second.TakeAsync(3);
        Assert.Equal(["0", "1", "2", "3"], rest.Select(Text).Concat(done).Order(StringComparer.Ordinal));
        Assert.InRange(rest.Count(static envelope => envelope.Delivery!.Count > 1), 0, Harness.MaxCountedReturns);
    }

    [Fact]
    public async Task Case_41_handler_that_does_not_end_in_time_is_cancelled_and_its_message_returned()
    {
        var clock = new TestClock();
        if (await Harness.OpenAsync(clock) is not { } transport)
        {
            // It waits for its handlers: case 40.
            Assert.IsNotType<Postrider.Transport.RabbitMq.RabbitMqTransport>(Transport);
            Assert.IsNotType<Postrider.Transport.Kafka.KafkaTransport>(Transport);
            return;
        }

        var destination = await NewDestinationAsync();
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using (transport)
        {
            var listener = await transport.ListenAsync(
                Harness.Binding(destination),
                async (_, abandoned) =>
                {
                    begun.TrySetResult();
                    await Task.Delay(Timeout.Infinite, abandoned);
                    return null;
                },
                Ct);
            await SendAsync(destination, "kept");
            await begun.Task.WaitAsync(Ct);
            var disposing = listener.DisposeAsync().AsTask();
            Assert.False(disposing.IsCompleted);
            await Eventually.HoldsAsync(() => clock.ArmedTimers > 0);
            clock.Advance(TimeSpan.FromMinutes(1));
            await disposing.WaitAsync(Ct);
        }

        await using var next = await ListenAsync(Harness.Binding(destination));
        var again = await next.NextAsync();
        Assert.Equal("kept", Text(again));
        Assert.InRange(again.Delivery!.Count, 1, 1 + Harness.MaxCountedReturns);
    }

    [Fact]
    public async Task Case_42_transport_that_is_disposed_while_it_looks_for_its_server_ends_what_waits()
    {
        if (await Harness.OpenNowhereAsync() is not { } transport)
        {
            Assert.False(Harness.HasConnection);
            return;
        }

        var destination = Harness.NewDestination();
        var sending = transport.SendAsync(Message(destination, "lost"), Ct).AsTask();
        var listening = transport.ListenAsync(Harness.Binding(destination), static (_, _) => default, Ct).AsTask();
        await Harness.CloseAsync(transport).AsTask().WaitAsync(Eventually.Patience, Ct);

        await Task.WhenAll(sending, listening).ContinueWith(static _ => { }, Ct, TaskContinuationOptions.None, TaskScheduler.Default).WaitAsync(Eventually.Patience, Ct);
        Assert.True(sending.IsFaulted || sending.IsCanceled, $"{sending.Status}");
        Assert.True(listening.IsFaulted || listening.IsCanceled, $"{listening.Status}");
        Assert.NotEqual(HealthStatus.Healthy, (await transport.CheckHealthAsync(Ct)).Status);
    }

    [Fact]
    public async Task Case_43_source_that_is_paused_is_not_received_until_it_is_resumed()
    {
        var destination = await NewDestinationAsync();
        var source = Harness.Binding(destination).Source;
        var handled = new ConcurrentQueue<string>();
        using var host = Build(
            options => options.ReplaceCommand<AbilityWork>((work, _) =>
            {
                handled.Enqueue(work.Text);
                return default;
            }),
            transport => transport.Command<AbilityWork>(Harness.Binding(destination)));
        await host.StartAsync(Ct);
        var receiver = host.Services.GetRequiredKeyedService<ITransportReceiver>("t");
        await SendAsync(destination, """{"Text":"before"}""");
        await Eventually.HoldsAsync(() => handled.Count == 1);

        await receiver.PauseAsync(source, Ct);
        if (Harness.SendersWait)
            Assert.Equal(PostriderError.NoListener, (await Assert.ThrowsAsync<PostriderException>(async () => await SendAsync(destination, """{"Text":"meanwhile"}"""))).Error);
        else
            await SendAsync(destination, """{"Text":"meanwhile"}""");
        Assert.Equal([source], receiver.PausedSources);
        Assert.Equal(["before"], handled);
        await receiver.ResumeAsync(source, Ct);
        await SendAsync(destination, """{"Text":"after"}""");
        await Eventually.HoldsAsync(() => handled.Contains("after"));

        // What is not kept is lost, or stays with its sender.
        string[] expected = Has(TransportAbilities.Durability) ? ["after", "before", "meanwhile"] : ["after", "before"];
        await Eventually.HoldsAsync(() => handled.Count >= expected.Length);
        Assert.Equal(expected, handled.Order(StringComparer.Ordinal));
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Case_45_credentials_that_changed_are_used_at_the_next_connection()
    {
        if (Harness.OpenWithCredentials() is not var (transport, decide))
        {
            // In memory there are none. A client of NATS asks for them itself; one of Kafka keeps those of its start.
            Assert.True(Transport is InMemoryTransport or Postrider.Transport.Nats.NatsStreamTransport or Postrider.Transport.Kafka.KafkaTransport);
            return;
        }

        await using var opened = transport;
        var destination = await NewDestinationAsync();
        await using var early = Harness.SendersWait ? await ListenAsync(Harness.Binding(destination)) : null;
        await transport.SendAsync(Message(destination, "old"), Ct);

        decide(false);
        Harness.Cut();
        var refused = await Eventually.GivesAsync(async () => await Record.ExceptionAsync(async () => await transport.SendAsync(Message(destination, "refused"), Ct)) is PostriderException { Error: PostriderError.Configuration } told ? told : null);
        decide(true);
        await Eventually.SucceedsAsync<PostriderException, bool>(async () =>
        {
            await transport.SendAsync(Message(destination, "new"), Ct);
            return true;
        });

        await using var late = early is null ? await ListenAsync(Harness.Binding(destination) with { MaxConcurrency = 1 }) : null;
        var seen = new List<string>();
        while (!seen.Contains("new"))
            seen.Add(Text(await (early ?? late)!.NextAsync()));
        Assert.Equal(["old", "new"], seen.Distinct(StringComparer.Ordinal));
        Assert.DoesNotContain("wrong", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Case_44_listener_goes_on_after_its_connection_was_cut()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        await SendAsync(destination, "before");
        Assert.Equal("before", Text(await arrivals.NextAsync()));

        Harness.Cut();
        await SendAsync(destination, "after");

        // At least once: what was not settled when the connection ended comes again.
        var arrived = await arrivals.NextAsync();
        while (Text(arrived) == "before")
            arrived = await arrivals.NextAsync();
        Assert.Equal("after", Text(arrived));
    }

    [Fact]
    public async Task Case_44_message_in_work_when_the_connection_was_cut_is_not_lost()
    {
        var destination = await NewDestinationAsync();
        var handled = new ConcurrentQueue<string>();
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var arrivals = await ListenAsync(
            Harness.Binding(destination),
            async envelope =>
            {
                begun.TrySetResult();
                await release.Task;
                handled.Enqueue(Text(envelope));
            });

        var sending = SendAsync(destination, "work").AsTask();
        await begun.Task.WaitAsync(Ct);
        Harness.Cut();
        release.SetResult();
        await sending;
        await Eventually.HoldsAsync(() => !handled.IsEmpty);

        Assert.Contains("work", handled);
    }

    [Fact]
    public async Task Case_44_messages_arrive_while_a_handler_from_before_the_cut_runs()
    {
        var destination = await NewDestinationAsync();
        var begun = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var release = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var arrivals = await ListenAsync(
            Harness.Binding(destination) with { MaxConcurrency = 4 },
            async envelope =>
            {
                if (Text(envelope) == "long" && begun.TrySetResult())
                    await release.Task;
            });
        var sending = SendAsync(destination, "long").AsTask();
        await begun.Task.WaitAsync(Ct);
        try
        {
            Harness.Cut();
            await SendAsync(destination, "next");

            // The server may deliver the other one again.
            while (Text(await arrivals.NextAsync()) != "next")
            {
            }
        }
        finally
        {
            release.SetResult();
        }

        await sending;
    }

    [Fact]
    public async Task Case_49_health_is_asked_of_the_server()
    {
        var destination = await NewDestinationAsync();
        await using var arrivals = await ListenAsync(Harness.Binding(destination));
        await Eventually.HoldsAsync(async () => (await Transport.CheckHealthAsync(Ct)).Status == HealthStatus.Healthy);

        var health = await Eventually.GivesAsync(async () => await Transport.CheckHealthAsync(Ct) is { Status: HealthStatus.Healthy } healthy ? healthy.Description : null);

        Assert.False(string.IsNullOrEmpty(health));
    }

    [Fact]
    public async Task Case_49_health_of_a_transport_that_was_disposed_is_bad()
    {
        var transport = await Harness.OpenAsync();
        await transport.DisposeAsync();
        if (transport is Postrider.Transport.Nats.NatsStreamTransport)
        {
            // Its client belongs to the caller and is still open.
            Assert.Equal(HealthStatus.Healthy, (await transport.CheckHealthAsync(Ct)).Status);
            return;
        }

        Assert.Equal(HealthStatus.Unhealthy, (await transport.CheckHealthAsync(Ct)).Status);
    }
}
