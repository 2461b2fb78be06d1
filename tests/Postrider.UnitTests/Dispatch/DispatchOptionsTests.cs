using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using Postrider.Diagnostics;
using Postrider.Dispatch;
using Postrider.Envelopes;
using Postrider.Serialization;
using Postrider.Testing;

namespace Postrider.UnitTests.Dispatch;

public sealed class DispatchOptionsTests
{
    [Fact]
    public async Task Replaced_handler_answers_instead_of_the_real_one()
    {
        await using var provider = new ServiceCollection()
            .AddPostrider(o => o.Replace<UnitQuery, int>((query, _) => new(query.Id + 100)))
            .BuildServiceProvider();

        var answer = await provider.GetRequiredService<IDispatcher>().SendAsync(new UnitQuery(1));

        Assert.Equal(101, answer);
    }

    [Fact]
    public async Task Recorder_tells_what_was_sent_and_published()
    {
        await using var provider = new ServiceCollection().AddPostrider().AddDispatchRecorder().BuildServiceProvider();
        var dispatcher = provider.GetRequiredService<IDispatcher>();

        await dispatcher.SendAsync(new UnitQuery(7));
        await dispatcher.PublishAsync(new UnitNote(8));

        var records = provider.GetRequiredService<DispatchRecords>();
        Assert.Equal(7, records.SingleSent<UnitQuery>().Id);
        Assert.Equal(8, records.SinglePublished<UnitNote>().Id);
        Assert.Contains("UnitQuery", Assert.Throws<InvalidOperationException>(records.SingleSent<UnitCommand>).Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Map_shows_a_route_and_the_handler_here_that_gets_what_arrives()
    {
        await using var provider = new ServiceCollection()
            .AddPostrider(o => o
                .Route<UnitPiped, int>(_ => throw new InvalidOperationException("Not sent."), new JsonSerializerProvider(new System.Text.Json.Serialization.Metadata.DefaultJsonTypeInfoResolver()), "piped")
                .Route<string, int>(_ => throw new InvalidOperationException("Not sent."), new JsonSerializerProvider(new System.Text.Json.Serialization.Metadata.DefaultJsonTypeInfoResolver()), "elsewhere"))
            .BuildServiceProvider();

        var map = provider.GetRequiredService<IHandlerMap>();

        var piped = Assert.Single(map.Messages, m => m.Message.EndsWith("UnitPiped", StringComparison.Ordinal));
        Assert.Equal("remote 'piped'", piped.Handlers[0]);
        Assert.EndsWith("UnitHandler (for messages that arrive through a binding)", piped.Handlers[1], StringComparison.Ordinal);
        Assert.Contains("UnitMiddleware", Assert.Single(piped.Middleware), StringComparison.Ordinal);
        Assert.Equal(["remote 'elsewhere'"], Assert.Single(map.Messages, m => m.Message == "System.String").Handlers);
    }

    [Fact]
    public async Task Map_shows_handler_middleware_and_needs()
    {
        await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider();

        var map = provider.GetRequiredService<IHandlerMap>();

        var piped = Assert.Single(map.Messages, m => m.Message.EndsWith("UnitPiped", StringComparison.Ordinal));
        Assert.Contains("UnitHandler", Assert.Single(piped.Handlers), StringComparison.Ordinal);
        Assert.Contains("UnitMiddleware", Assert.Single(piped.Middleware), StringComparison.Ordinal);
        Assert.Equal(PipelineNeeds.None, piped.Needs);
        Assert.Contains("UnitPiped", map.ToMarkdown(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Telemetry_makes_an_activity_and_a_measurement_with_the_conventions_names()
    {
        var activities = new List<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = source => source.Name == DispatchTelemetry.Name,
            Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
            ActivityStopped = activities.Add,
        };
        ActivitySource.AddActivityListener(listener);
        var measured = new List<string?>();
        using var meters = new MeterListener();
        meters.InstrumentPublished = (instrument, l) =>
        {
            if (instrument.Name == "messaging.process.duration")
                l.EnableMeasurementEvents(instrument);
        };
        meters.SetMeasurementEventCallback<double>((_, _, tags, _) => measured.Add(tags[0].Value as string));
        meters.Start();
        await using var provider = new ServiceCollection().AddPostrider(o => o.Telemetry = true).BuildServiceProvider();

        await provider.GetRequiredService<IDispatcher>().SendAsync(new UnitPiped(1));

        var name = typeof(UnitPiped).FullName!;
        Assert.Equal("postrider", Assert.Single(activities, a => a.OperationName == "process " + name).GetTagItem("messaging.system"));
        Assert.Contains(name, measured);
    }

    [Fact]
    public async Task Message_that_nobody_handles_is_refused_with_the_places_that_were_searched()
    {
        await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider();

        var error = await Assert.ThrowsAsync<PostriderException>(
            async () => await provider.GetRequiredService<IDispatcher>().SendAsync((object)"nobody handles strings"));

        Assert.Equal(PostriderError.NoHandler, error.Error);
        Assert.Contains("Postrider.UnitTests", error.Message, StringComparison.Ordinal);
    }
}
