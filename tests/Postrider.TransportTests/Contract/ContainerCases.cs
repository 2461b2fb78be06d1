using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Diagnostics;
using Postrider.Dispatch;
using Postrider.Serialization;
using Postrider.Transports;
using Postrider.TransportTests.Harness;

namespace Postrider.TransportTests.Contract;

/// <summary>Cases 20, 79, 80 and 82: one container sends a message along a route and receives it through a binding.</summary>
public abstract class ContainerCases(TransportHarness harness) : SendingCases(harness)
{
    private static readonly JsonSerializerProvider s_json = new(AbilityJson.Default);

    [Fact]
    public async Task Case_79_message_with_a_route_and_a_binding_is_handled_once_by_the_handler_of_its_container()
    {
        var destination = await NewDestinationAsync();
        var handled = new List<string>();
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var host = Build(
            // A replaced handler also replaces the routes before it.
            options => options.ReplaceCommand<AbilityWork>((work, _) =>
            {
                handled.Add(work.Text);
                if (work.Text == "last") ended.TrySetResult();
                return default;
            }).Route<AbilityWork, Unit>("t", s_json, destination),
            transport => transport.Command<AbilityWork>(Harness.Binding(destination) with { MaxConcurrency = 1 }));
        await host.StartAsync(Ct);

        await host.Services.GetRequiredService<IDispatcher>().SendAsync(new AbilityWork("first"), Ct);
        await host.Services.GetRequiredService<IDispatcher>().SendAsync(new AbilityWork("last"), Ct);
        await ended.Task.WaitAsync(Ct);

        await host.StopAsync(Ct);
        Assert.Equal(["first", "last"], handled.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task Case_80_route_back_into_the_binding_of_a_message_without_a_handler_ends_the_start()
    {
        var destination = await NewDestinationAsync();
        using var host = Build(
            options => options.RouteNotification<AbilityNews>("t", s_json, destination),
            transport => transport.Notification<AbilityNews>(Harness.Binding(destination)));

        var refused = await Assert.ThrowsAsync<PostriderException>(() => host.StartAsync(Ct));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(nameof(AbilityNews), refused.Message, StringComparison.Ordinal);
        Assert.Contains($"'{destination}'", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Case_82_command_is_kept_until_it_is_handled_and_its_sender_gets_no_failure_of_an_attempt()
    {
        var destination = await NewDestinationAsync();
        var attempts = 0;
        var handled = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        using var host = Build(
            options => options.ReplaceCommand<AbilityWork>((_, _) =>
            {
                if (Interlocked.Increment(ref attempts) < 3)
                    throw new InvalidOperationException("no paper");
                handled.TrySetResult();
                return default;
            }).Route<AbilityWork, Unit>("t", s_json, destination),
            transport => transport.Command<AbilityWork>(Harness.Binding(destination)));
        await host.StartAsync(Ct);
        var dispatcher = host.Services.GetRequiredService<IDispatcher>();

        if (Harness.SendersWait)
        {
            await Assert.ThrowsAsync<RemoteException>(async () => await dispatcher.SendAsync(new AbilityWork("kept"), Ct));
            Assert.Equal(1, attempts);
        }
        else
        {
            await dispatcher.SendAsync(new AbilityWork("kept"), Ct);
            await handled.Task.WaitAsync(Ct);
            Assert.Equal(3, attempts);
        }

        await host.StopAsync(Ct);
    }

    [Fact]
    public async Task Case_20_handler_is_in_the_trace_of_the_sender_and_has_its_baggage()
    {
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == DispatchTelemetry.Name,
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
        };
        ActivitySource.AddActivityListener(listener);
        var destination = await NewDestinationAsync();
        var handled = new TaskCompletionSource<Activity?>(TaskCreationOptions.RunContinuationsAsynchronously);
        using var host = Build(
            options => options.ReplaceCommand<AbilityWork>((_, _) =>
            {
                handled.TrySetResult(Activity.Current);
                return default;
            }).Route<AbilityWork, Unit>("t", s_json, destination),
            transport => transport.Command<AbilityWork>(Harness.Binding(destination)));
        await host.StartAsync(Ct);
        using var sender = new Activity("order").SetIdFormat(ActivityIdFormat.W3C);
        sender.TraceStateString = "vendor=1";
        sender.AddBaggage("tenant", "blue, \u2603").Start();

        await host.Services.GetRequiredService<IDispatcher>().SendAsync(new AbilityWork("traced"), Ct);

        var span = await handled.Task.WaitAsync(Ct);
        await host.StopAsync(Ct);
        Assert.Equal((ActivityKind.Consumer, $"process {Harness.Binding(destination).Source}"), (span!.Kind, span.DisplayName));
        Assert.Equal((sender.TraceId, sender.SpanId, "vendor=1", "blue, \u2603"), (span.TraceId, span.ParentSpanId, span.TraceStateString, span.GetBaggageItem("tenant")));
    }

    // The transport belongs to the harness: the container does not dispose it.
    private protected IHost Build(Action<DispatchOptions> route, Action<TransportBuilder> bind)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddPostrider(route);
        var transport = builder.Services.AddPostriderTransport("t", static _ => throw new InvalidOperationException("The next registration replaces it."), s_json);
        builder.Services.AddKeyedSingleton("t", Transport);
        bind(transport);
        return builder.Build();
    }
}
