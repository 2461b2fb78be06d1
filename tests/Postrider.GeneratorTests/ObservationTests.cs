namespace Postrider.GeneratorTests;

/// <summary>Traces and metrics of a user's program, and the harness for a user's tests.</summary>
public sealed class ObservationTests
{
    private const string Main = """
        using System.Diagnostics;
        using System.Diagnostics.Metrics;
        using Postrider.Testing;
        public static class Program { public static void Main() { } }
        public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) { lock (Lines) Lines.Add(line.ToString()!); } public static string All => string.Join(" ", Lines); }
        public sealed partial record ObservedAsk(int N) : IQuery<int>;
        public sealed partial record ObservedDo : ICommand;
        public sealed partial record ObservedTold : INotification;
        public sealed partial record ObservedFeed(int To) : IStreamRequest<int>;
        internal sealed class AskHandler : IRequestHandler<ObservedAsk, int> { public async ValueTask<int> Handle(ObservedAsk q, CancellationToken ct) { await Task.Yield(); return q.N < 0 ? throw new ArgumentException("negative") : q.N; } }
        internal sealed class DoHandler(IDispatcher d) : ICommandHandler<ObservedDo> { public async ValueTask Handle(ObservedDo c, CancellationToken ct) { Log.Add("do"); await d.PublishAsync(new ObservedTold(), ct); } }
        internal sealed class ToldHandler : INotificationHandler<ObservedTold> { public ValueTask Handle(ObservedTold n, CancellationToken ct) { Log.Add("told"); return default; } }
        internal static class Feeding { [Handler] public static async IAsyncEnumerable<int> On(ObservedFeed q) { for (var i = 0; i < q.To; i++) { await Task.Yield(); yield return i; } } }

        """;

    private const string Watched = """

        public static class App
        {
            public static async Task<string> Run()
            {
                using var listener = new ActivityListener
                {
                    ShouldListenTo = source => source.Name == "Postrider",
                    Sample = (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllData,
                    ActivityStopped = a =>
                    {
                        if (a.OperationName.StartsWith("process Observed"))
                            Log.Add($"{a.OperationName}/{a.GetTagItem("messaging.system")}/{a.GetTagItem("messaging.operation.type")}/{a.GetTagItem("messaging.destination.name")}/{a.Status}/{a.GetTagItem("error.type")}/{a.Parent?.OperationName}");
                    },
                };
                ActivitySource.AddActivityListener(listener);
                using var meters = new MeterListener();
                meters.InstrumentPublished = (instrument, l) => { if (instrument.Meter.Name == "Postrider") l.EnableMeasurementEvents(instrument); };
                meters.SetMeasurementEventCallback<double>((i, v, tags, s) =>
                {
                    var all = tags.ToArray().ToDictionary(t => t.Key, t => t.Value);
                    if (all["messaging.destination.name"] is string name && name.StartsWith("Observed"))
                        Log.Add($"{i.Name}/{i.Unit}/{name}/{(all.TryGetValue("error.type", out var error) ? error : "")}");
                });
                meters.Start();
                await using var provider = new ServiceCollection().AddPostrider(TELEMETRY).BuildServiceProvider(true);
                var d = provider.GetRequiredService<IDispatcher>();
                Log.Add(await d.SendAsync(new ObservedAsk(1)));
                try { await d.SendAsync(new ObservedAsk(-1)); } catch (ArgumentException) { }
                await d.SendAsync(new ObservedDo());
                return string.Join("\n", Log.Lines);
            }
        }
        """;

    [Fact]
    public async Task Calls_are_traced_and_measured_by_the_conventions_of_messaging()
    {
        var user = UserProject.Compile(Main + Watched.Replace("TELEMETRY", "o => o.Telemetry = true", StringComparison.Ordinal));

        Assert.Equal(
            """
            messaging.process.duration/s/ObservedAsk/
            process ObservedAsk/postrider/process/ObservedAsk/Unset//
            1
            messaging.process.duration/s/ObservedAsk/System.ArgumentException
            process ObservedAsk/postrider/process/ObservedAsk/Error/System.ArgumentException/
            do
            told
            messaging.process.duration/s/ObservedTold/
            process ObservedTold/postrider/process/ObservedTold/Unset//process ObservedDo
            messaging.process.duration/s/ObservedDo/
            process ObservedDo/postrider/process/ObservedDo/Unset//
            """,
            await user.Run());
    }

    [Fact]
    public async Task Nothing_is_traced_or_measured_unless_it_is_asked_for()
    {
        var user = UserProject.Compile(Main + Watched.Replace("TELEMETRY", "", StringComparison.Ordinal));

        Assert.Equal("1\ndo\ntold", await user.Run());
    }

    [Fact]
    public async Task Harness_tells_what_was_sent_published_posted_and_asked_for_as_a_sequence()
    {
        var user = UserProject.Compile(Main + """
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().AddDispatchRecorder().BuildServiceProvider(true);
                    var records = provider.GetRequiredService<DispatchRecords>();
                    await using (var scope = provider.CreateAsyncScope())
                    {
                        var d = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                        await d.SendAsync(new ObservedAsk(3));
                        await d.SendAsync((object)new ObservedAsk(4));
                        await d.SendAsync(new ObservedDo());
                        await foreach (var i in d.StreamAsync(new ObservedFeed(1))) Log.Add("#" + i);
                        await d.PostAsync(new ObservedAsk(5));
                    }
                    foreach (var service in provider.GetServices<Microsoft.Extensions.Hosting.IHostedService>()) await service.StopAsync(default);
                    Log.Add(string.Join(",", records.Sent.Select(m => m.ToString())));
                    Log.Add(records.SinglePublished<ObservedTold>());
                    Log.Add(records.SinglePosted<ObservedAsk>().N);
                    try { records.SingleSent<ObservedAsk>(); } catch (InvalidOperationException e) { Log.Add(e.Message); }
                    return string.Join("\n", Log.Lines);
                }
            }
            """);

        Assert.Equal(
            """
            do
            told
            #0
            ObservedAsk { N = 3 },ObservedAsk { N = 4 },ObservedDo { },ObservedFeed { To = 1 }
            ObservedTold { }
            5
            2 messages of ObservedAsk were sent, expected 1. All: ObservedAsk, ObservedAsk, ObservedDo, ObservedFeed.
            """,
            await user.Run());
    }

    [Fact]
    public async Task Harness_replaces_the_handlers_of_every_kind_of_message()
    {
        var user = UserProject.Compile(Main + """
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider(o => o
                        .Replace<ObservedAsk, int>((q, ct) => new(q.N * 100))
                        .ReplaceCommand<ObservedDo>((c, ct) => { Log.Add("instead of do"); return default; })
                        .ReplaceNotification<ObservedTold>((n, ct) => { Log.Add("instead of told"); return default; })
                        .ReplaceStream<ObservedFeed, int>((q, ct) => Instead(q.To))).BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add(await d.SendAsync(new ObservedAsk(3)));
                    Log.Add((await d.SendAsync((object)new ObservedAsk(4)))!);
                    await d.SendAsync(new ObservedDo());
                    await d.PublishAsync(new ObservedTold());
                    await foreach (var i in d.StreamAsync(new ObservedFeed(7))) Log.Add(i);
                    return string.Join(" ", Log.Lines);
                }
                static async IAsyncEnumerable<int> Instead(int n) { await Task.Yield(); yield return n; }
            }
            """);

        Assert.Equal("300 400 instead of do instead of told 7", await user.Run());
    }

    [Fact]
    public async Task Harness_drives_the_time_that_handlers_wait_for()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Wait(TimeSpan For) : IQuery<string>;
            internal sealed class WaitHandler(TimeProvider time) : IRequestHandler<Wait, string>
            { public async ValueTask<string> Handle(Wait q, CancellationToken ct) { var from = time.GetUtcNow(); await Task.Delay(q.For, time, ct); return (time.GetUtcNow() - from).ToString(); } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var time = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
                    await using var provider = new ServiceCollection().AddSingleton<TimeProvider>(time).AddPostrider().BuildServiceProvider(true);
                    var waiting = provider.GetRequiredService<IDispatcher>().SendAsync(new Wait(TimeSpan.FromDays(3))).AsTask();
                    time.Advance(TimeSpan.FromDays(2));
                    Log.Add(waiting.IsCompleted);
                    time.Advance(TimeSpan.FromDays(1));
                    Log.Add(await waiting);
                    return Log.All;
                }
            }
            """);

        Assert.Equal("False 3.00:00:00", await user.Run());
    }
}
