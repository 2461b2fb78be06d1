using Microsoft.Extensions.DependencyInjection;
using Postrider.HostingTests.Dispatch;
using Postrider.Resilience;
using Postrider.Testing;
using Postrider.Transports;

namespace Postrider.HostingTests.Testing;

/// <summary>The clock of the harness where code that waited for it goes on later, and on another thread than the one that moved the clock.</summary>
public sealed class HarnessClockTests
{
    private static readonly TimeSpan Hour = TimeSpan.FromHours(1);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Delayed_message_is_waited_for_although_another_thread_goes_on_with_it()
    {
        using var gate = new FlowGate();
        gate.Enter();
        await using var app = await HarnessApp.StartAsync(
            options => options.RouteNotification<OrderPlaced>("orders", HarnessApp.Json, new SendTarget("orders.placed") { Delay = Hour }),
            transport => transport.Notification<OrderPlaced>(new TransportBinding("orders.placed")));
        await app.Dispatcher.PublishAsync(new OrderPlaced("tea"), Ct);
        await app.Harness.IdleAsync(Ct);
        gate.Close();

        ContextOfItsOwn.Run(() => app.Harness.Time.Advance(Hour));
        var idle = app.Harness.IdleAsync(Ct);
        var isEarly = idle.IsCompleted;
        gate.Open();
        await idle;

        Assert.False(isEarly);
        Assert.Equal("tea", Assert.Single(app.Notes.All).Item);
    }

    [Fact]
    public async Task Next_attempt_is_waited_for_although_another_thread_goes_on_with_it()
    {
        using var gate = new FlowGate();
        gate.Enter();
        await using var app = await HarnessApp.StartAsync(
            options => options.ReplaceNotification<OrderPlaced>((_, _) => throw new InvalidOperationException("no paper")),
            transport => transport.Notification<OrderPlaced>(new AtLeastOnceBinding("orders.placed")
            {
                Retry = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 2, Backoff = Backoff.Constant, BaseDelay = Hour, MaxDelay = Hour },
            }));
        await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced("tea"), HarnessApp.Json);
        await app.Harness.IdleAsync(Ct);
        gate.Close();

        ContextOfItsOwn.Run(() => app.Harness.Time.Advance(Hour));
        var idle = app.Harness.IdleAsync(Ct);
        var isEarly = idle.IsCompleted;
        gate.Open();
        await idle;

        Assert.False(isEarly);
        Assert.Equal([1L, 2L], app.Harness.Consumed<OrderPlaced>().Select(consumed => (long)consumed.Attempt));
    }

    // The harness does not know the loop of such a service: only what it does within the call that fires its timer is waited for.
    [Fact]
    public async Task Service_that_waits_for_the_clock_is_waited_for_whatever_context_the_test_has()
    {
        using var gate = new FlowGate();
        await using var app = await HarnessApp.StartAsync(static _ => { }, transport => transport.Notification<OrderPlaced>(new TransportBinding("orders.placed")));
        var serving = ServeAsync(app, gate);
        gate.Close();

        Task advancing = Task.CompletedTask;
        ContextOfItsOwn.Run(() => advancing = app.Harness.AdvanceAsync(Hour, Ct));
        var isEarly = advancing.IsCompleted;
        gate.Open();
        await advancing;

        Assert.False(isEarly);
        Assert.Equal("tea", Assert.Single(app.Notes.All).Item);
        await serving;
    }

    private static async Task ServeAsync(HarnessApp app, FlowGate gate)
    {
        gate.Enter();
        await Task.Delay(Hour, app.Services.GetRequiredService<TimeProvider>(), Ct).ConfigureAwait(false);
        await app.Harness.DeliverAsync("orders", "orders.placed", new OrderPlaced("tea"), HarnessApp.Json).ConfigureAwait(false);
    }

    /// <summary>A thread that has one runs no continuations of others within a call.</summary>
    private sealed class ContextOfItsOwn : SynchronizationContext
    {
        internal static void Run(Action action)
        {
            var before = Current;
            SetSynchronizationContext(new ContextOfItsOwn());
            try
            {
                action();
            }
            finally
            {
                SetSynchronizationContext(before);
            }
        }
    }
}
