using System.Collections.Concurrent;
using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Postrider.Dispatch;
using Postrider.Serialization;
using Postrider.Transports;

namespace Postrider.HostingTests.Dispatch;

/// <summary>Spans of messages that cause others.</summary>
public sealed class TraceRouteTests
{
    private static readonly JsonSerializerProvider s_json = new(RoutesJson.Default);

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    [Fact]
    public async Task Message_that_a_handler_sends_has_a_span_of_its_own_below_that_of_the_handler()
    {
        var spans = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "Postrider",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        IDispatcher dispatcher = null!;
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Services.AddPostrider(options => options
            .ReplaceCommand<Remind>((remind, ct) => dispatcher.SendAsync(new Orphan(remind.Text), ct)).Route<Remind, Unit>("memory", s_json, "trace.first")
            .ReplaceCommand<Orphan>(static (_, _) => default).Route<Orphan, Unit>("memory", s_json, "trace.second"));
        builder.Services.AddPostriderTransport("memory", static _ => new InMemoryTransport(), s_json)
            .Command<Remind>(new TransportBinding("trace.first")).Command<Orphan>(new TransportBinding("trace.second"));
        using var host = builder.Build();
        await host.StartAsync(Ct);
        dispatcher = host.Services.GetRequiredService<IDispatcher>();
        using var root = new Activity("root").SetIdFormat(ActivityIdFormat.W3C).Start();

        await dispatcher.SendAsync(new Remind("x"), Ct);
        await Eventually.HoldsAsync(() => spans.Count(span => span.TraceId == root.TraceId) == 2);

        await host.StopAsync(Ct);
        var (second, first) = (spans.Single(static span => span.OperationName == "process trace.second"), spans.Single(static span => span.OperationName == "process trace.first"));
        Assert.Equal((root.SpanId, first.SpanId), (first.ParentSpanId, second.ParentSpanId));
        Assert.Equal((root.TraceId, root.TraceId), (first.TraceId, second.TraceId));
    }
}
