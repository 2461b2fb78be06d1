using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Dispatch;
using Postrider.HostingTests.Dispatch;
using Postrider.Resilience;
using Postrider.Serialization;
using Postrider.Testing;
using Postrider.Transport.Nats;
using Postrider.Transports;

namespace Postrider.HostingTests.Testing;

/// <summary>Routed commands and requests under the harness: as over the transport that it replaces.</summary>
public sealed class HarnessCommandTests
{
    private static readonly JsonSerializerProvider Json = new(RoutesJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Command_to_a_binding_that_delivers_at_least_once_is_retried_and_dead_lettered()
    {
        await using var app = await StartAsync(
            (options, _) => options.ReplaceCommand<Remind>(static (_, _) => throw new InvalidOperationException("no paper")).Route<Remind, Unit>("orders", Json, "reminders"),
            static transport => transport.Command<Remind>(Binding("reminders")));

        await app.Dispatcher.SendAsync(new Remind("tea"), Ct);
        await app.Harness.IdleAsync(Ct);
        Assert.Equal([1L], Attempts(app));
        await app.Harness.AdvanceAsync(TimeSpan.FromSeconds(59), Ct);
        Assert.Equal([1L], Attempts(app));
        await app.Harness.AdvanceAsync(TimeSpan.FromHours(3), Ct);

        Assert.Equal([1L, 2L, 3L], Attempts(app));
        var dead = Assert.Single(app.Harness.DeadLetters);
        Assert.Equal((new Remind("tea"), "reminders.dead", DeadLetterReason.Exhausted), (dead.Message, dead.Destination, dead.Reason));
    }

    [Fact]
    public async Task Commands_that_cause_each_other_do_not_wait_for_each_other()
    {
        await using var app = await StartAsync(
            (options, dispatcher) => options.ReplaceCommand<Remind>((remind, ct) => remind.Text.Length < 20 ? dispatcher().SendAsync(new Remind(remind.Text + "."), ct) : default).Route<Remind, Unit>("orders", Json, "reminders"),
            static transport => transport.Command<Remind>(Binding("reminders") with { MaxConcurrency = 2 }));

        await app.Dispatcher.SendAsync(new Remind("."), Ct);
        await app.Harness.IdleAsync(Ct);

        Assert.Equal(Enumerable.Range(1, 20), app.Harness.Consumed<Remind>().Select(static consumed => consumed.Message.Text.Length));
        Assert.All(app.Harness.Consumed<Remind>(), static consumed => Assert.Null(consumed.Failure));
    }

    [Fact]
    public async Task Messages_with_an_empty_key_do_not_wait_for_each_other()
    {
        var second = new TaskCompletionSource();
        await using var app = await StartAsync(
            (options, _) => options.ReplaceCommand<PackParcel>(async (parcel, _) =>
            {
                if (parcel.Id == "2")
                    second.SetResult();
                await second.Task;
            }).Route<PackParcel, Unit>("orders", Json, "parcels"),
            static transport => transport.Command<PackParcel>(Binding("parcels") with { OrderByKey = true }));

        await app.Dispatcher.SendAsync(new PackParcel("1", ""), Ct);
        await app.Dispatcher.SendAsync(new PackParcel("2", ""), Ct);
        await app.Harness.IdleAsync(Ct);

        Assert.Equal(2, app.Harness.Consumed<PackParcel>().Count);
    }

    [Fact]
    public async Task Requests_that_wait_for_each_others_slots_end_with_the_reason()
    {
        // The handlers' own requests end at the same time as the first one: their failures must not be its reply.
        var isOver = new TaskCompletionSource();
        await using var app = await StartAsync(
            (options, dispatcher) => options.ReplaceCommand<Remind>(async (remind, ct) =>
            {
                try
                {
                    await dispatcher().SendAsync(new Remind(remind.Text + "."), ct);
                }
                catch (TimeoutException)
                {
                    await isOver.Task;
                }
            }).Route<Remind, Unit>("orders", Json, "reminders"),
            static transport => transport.Command<Remind>(new TransportBinding("reminders") { MaxConcurrency = 2 }),
            new TestHarnessOptions { IdleTimeout = TimeSpan.FromMilliseconds(100) });

        TimeoutException late;
        try
        {
            late = await Assert.ThrowsAsync<TimeoutException>(async () => await app.Dispatcher.SendAsync(new Remind("."), Ct));
        }
        finally
        {
            isOver.SetResult();
        }

        Assert.Equal(
            "The request to 'reminders' on transport 'orders' had no reply within 0.1 s, IdleTimeout of TestHarnessOptions. Handlers that send requests to their own source wait for its slots, which they hold: MaxConcurrency of the binding is their number.",
            late.Message);
    }

    [Fact]
    public async Task Request_that_the_test_does_not_await_is_waited_for()
    {
        var release = new TaskCompletionSource();
        await using var app = await StartAsync(
            (options, _) => options.ReplaceCommand<Remind>(async (_, _) => await release.Task).Route<Remind, Unit>("orders", Json, "reminders"),
            static transport => transport.Command<Remind>(new TransportBinding("reminders")));

        var sending = app.Dispatcher.SendAsync(new Remind("tea"), Ct).AsTask();
        var idle = app.Harness.IdleAsync(Ct);
        var isEarly = idle.IsCompleted;
        release.SetResult();
        await idle;

        Assert.False(isEarly);
        Assert.Single(app.Harness.Consumed<Remind>());
        await sending;
    }

    [Fact]
    public async Task Command_over_a_transport_of_streams_does_not_need_a_listener()
    {
        using var host = Streams(options => options.Route<Remind, Unit>("orders", Json, "reminders"));
        await host.StartAsync(Ct);

        await host.Services.GetRequiredService<IDispatcher>().SendAsync(new Remind("tea"), Ct);

        Assert.Equal("reminders", Assert.Single(host.Services.GetRequiredService<TestHarness>().Sent).Destination);
        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Route_that_the_replaced_transport_rejects_is_rejected()
    {
        using var host = Streams(options => options.RouteStream<CountTo, Number>("orders", Json, "numbers"));

        var failure = await Assert.ThrowsAsync<PostriderException>(() => host.StartAsync(Ct));

        Assert.Equal(PostriderError.Configuration, failure.Error);
        Assert.Contains("which does not support stream requests", failure.Message, StringComparison.Ordinal);
    }

    private static AtLeastOnceBinding Binding(string source) => new(source)
    {
        Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, Backoff = Backoff.Exponential, BaseDelay = TimeSpan.FromMinutes(1), MaxDelay = TimeSpan.FromHours(1) },
        DeadLetter = $"{source}.dead",
    };

    private static async Task<HarnessApp> StartAsync(Action<DispatchOptions, Func<IDispatcher>> configure, Action<TransportBuilder> bind, TestHarnessOptions? options = null)
    {
        HarnessApp? app = null;
        app = await HarnessApp.StartAsync(dispatch => configure(dispatch, () => app!.Dispatcher), bind, options, Json);
        return app;
    }

    private static IHost Streams(Action<DispatchOptions> configure)
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Services.AddNatsStreamTransport("orders", Json);
        builder.Services.AddPostrider(configure);
        builder.Services.AddPostriderTestHarness();
        return builder.Build();
    }

    private static IEnumerable<long> Attempts(HarnessApp app) => app.Harness.Consumed<Remind>().Select(static consumed => consumed.Attempt);
}
