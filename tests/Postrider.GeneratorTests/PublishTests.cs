namespace Postrider.GeneratorTests;

public sealed class PublishTests
{
    [Fact]
    public async Task Handlers_of_bases_and_interfaces_hear_a_derived_notification()
    {
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public interface IAudited : INotification;
            public record Base : INotification;
            public sealed partial record Leaf : Base, IAudited;
            public static class Log { public static string All = ""; }
            internal sealed class OnLeaf : INotificationHandler<Leaf> { public ValueTask Handle(Leaf n, CancellationToken ct) { Log.All += "leaf "; return default; } }
            internal sealed class OnBase : INotificationHandler<Base> { public ValueTask Handle(Base n, CancellationToken ct) { Log.All += "base "; return default; } }
            internal sealed class OnAudited : INotificationHandler<IAudited> { public ValueTask Handle(IAudited n, CancellationToken ct) { Log.All += "audited "; return default; } }
            public sealed record Unheard : INotification;
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PublishAsync(new Leaf());
                    var first = string.Join(" ", Log.All.Split(' ').Order());
                    Log.All = "";
                    await d.PublishAsync(new Base());
                    await d.PublishAsync(new Unheard());
                    return first + "|" + Log.All;
                }
            }
            """);

        Assert.Equal(" audited base leaf|base ", await user.Run());
    }

    [Fact]
    public async Task Handlers_of_interfaces_hear_a_notification_that_is_a_struct()
    {
        var user = UserProject.Compile("""
            using M = Postrider.Compat.MediatR;
            public static class Program { public static void Main() { } }
            public interface IAudited : INotification;
            public readonly partial record struct Ticked(int N) : IAudited;
            public interface ISeen : M.INotification;
            public readonly record struct Tocked(int N) : ISeen;
            public static class Log { public static readonly List<string> Lines = new(); }
            internal sealed class OnAudited : INotificationHandler<IAudited> { public ValueTask Handle(IAudited n, CancellationToken ct) { Log.Lines.Add("audited " + ((Ticked)n).N); return default; } }
            internal sealed class OnAll : INotificationHandler<INotification> { public ValueTask Handle(INotification n, CancellationToken ct) { Log.Lines.Add(n.GetType().Name); return default; } }
            internal sealed class OnSeen : M.INotificationHandler<ISeen> { public Task Handle(ISeen n, CancellationToken ct) { Log.Lines.Add("seen " + ((Tocked)n).N); return Task.CompletedTask; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddMediatR(_ => { }).BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PublishAsync(new Ticked(1));
                    await d.PublishAsync((object)new Ticked(2));
                    await provider.GetRequiredService<M.IPublisher>().Publish(new Tocked(3));
                    return string.Join(",", Log.Lines.Order(StringComparer.Ordinal));
                }
            }
            """, withCompat: true);

        Assert.Equal("Ticked,Ticked,Tocked,audited 1,audited 2,seen 3", await user.Run());
    }

    [Theory]
    [InlineData("Sequential", "1 InvalidOperationException")]
    [InlineData("SequentialContinue", "1 2 3 AggregateException")]
    [InlineData("Parallel", "1 2 3 AggregateException")]
    public async Task Strategy_decides_what_an_exception_does(string strategy, string expected)
    {
        var user = UserProject.Compile($$"""
            public static class Program { public static void Main() { } }
            [Publish(PublishStrategy.{{strategy}})] public sealed partial record Told : INotification;
            public static class Log { public static List<string> All = new(); }
            [Handler(Order = 1)] internal sealed class H1 : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) { Log.All.Add("1"); throw new InvalidOperationException(); } }
            [Handler(Order = 2)] internal sealed class H2 : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) { Log.All.Add("2"); return default; } }
            [Handler(Order = 3)] internal sealed class H3 : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) { Log.All.Add("3"); return default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    try { await provider.GetRequiredService<IDispatcher>().PublishAsync(new Told()); } catch (Exception e) { Log.All.Add(e.GetType().Name); }
                    return string.Join(" ", Log.All);
                }
            }
            """);

        Assert.Equal(expected, await user.Run());
    }

    [Fact]
    public async Task Posted_messages_are_handled_later_and_their_failures_are_logged()
    {
        var user = UserProject.Compile("""
            using Microsoft.Extensions.Hosting;
            using Microsoft.Extensions.Logging;
            public static class Program { public static void Main() { } }
            public sealed partial record Work(int N) : ICommand;
            public sealed partial record More(int N) : ICommand;
            public static class Log { public static readonly List<string> Lines = new(); public static void Add(string line) { lock (Lines) Lines.Add(line); } }
            public sealed class Lines : ILoggerProvider, ILogger
            {
                public ILogger CreateLogger(string name) => this;
                public void Dispose() { }
                public IDisposable? BeginScope<T>(T state) where T : notnull => null;
                public bool IsEnabled(LogLevel level) => level >= LogLevel.Error;
                public void Log<T>(LogLevel level, EventId id, T state, Exception? e, Func<T, Exception?, string> text) { if (IsEnabled(level)) global::Log.Add("logged:" + e!.Message); }
            }
            internal sealed class WorkHandler(IDispatcher d) : ICommandHandler<Work>
            {
                public async ValueTask Handle(Work c, CancellationToken ct)
                {
                    if (c.N == 2) throw new InvalidOperationException("two");
                    Log.Add("work" + c.N);
                    // The queue holds one message: waiting for room in it here would wait for ever.
                    for (var i = 0; i < 3; i++) await d.PostAsync(new More(i), ct);
                }
            }
            internal sealed class MoreHandler : ICommandHandler<More> { public ValueTask Handle(More c, CancellationToken ct) { Log.Add("more" + c.N); return default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddLogging(b => b.AddProvider(new Lines())).AddPostrider(o => o.BackgroundQueueLength = 1).BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PostAsync(new Work(1));
                    await d.PostAsync(new Work(2));
                    foreach (var service in provider.GetServices<IHostedService>()) await service.StopAsync(CancellationToken.None);
                    try { await d.PostAsync("nobody"); } catch (PostriderException e) { Log.Add(e.Error.ToString()); }
                    return string.Join(" ", Log.Lines.Order());
                }
            }
            """);

        Assert.Equal("NoHandler logged:two more0 more1 more2 work1", await user.Run());
    }

    [Fact]
    public async Task Background_notifications_are_handled_in_a_scope_and_drained_when_the_host_stops()
    {
        var user = UserProject.Compile("""
            using Microsoft.Extensions.Hosting;
            public static class Program { public static void Main() { } }
            public sealed class PerScope { public static int Made; public PerScope() => Interlocked.Increment(ref Made); }
            [Publish(PublishStrategy.Background)] public sealed partial record Told(int N) : INotification;
            public static class Log { public static int Sum; public static readonly TaskCompletionSource Gate = new(); }
            internal sealed class OnTold(PerScope scope) : INotificationHandler<Told>
            { public async ValueTask Handle(Told n, CancellationToken ct) { await Log.Gate.Task; if (n.N == 3) throw new InvalidOperationException(); Log.Sum += n.N + (scope is null ? 1 : 0); } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddScoped<PerScope>().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    for (var i = 1; i <= 5; i++) await d.PublishAsync(new Told(i));
                    var before = Log.Sum;
                    Log.Gate.SetResult();
                    foreach (var service in provider.GetServices<IHostedService>()) await service.StopAsync(CancellationToken.None);
                    var refused = "";
                    try { await d.PublishAsync(new Told(9)); } catch (PostriderException e) { refused = e.Error.ToString(); }
                    return before + " " + Log.Sum + " " + PerScope.Made + " " + refused;
                }
            }
            """);

        Assert.Equal("0 12 5 QueueFull", await user.Run());
    }

    [Fact]
    public async Task Handlers_in_parallel_wait_at_the_same_time()
    {
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            [Publish(PublishStrategy.Parallel)] public sealed partial record Told : INotification;
            public static class Meet { public static readonly TaskCompletionSource First = new(), Second = new(); }
            internal sealed class A : INotificationHandler<Told> { public async ValueTask Handle(Told n, CancellationToken ct) { Meet.First.SetResult(); await Meet.Second.Task; } }
            internal sealed class B : INotificationHandler<Told> { public async ValueTask Handle(Told n, CancellationToken ct) { Meet.Second.SetResult(); await Meet.First.Task; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    await provider.GetRequiredService<IDispatcher>().PublishAsync(new Told());
                    return "met";
                }
            }
            """);

        Assert.Equal("met", await user.Run());
    }

    [Fact]
    public async Task Who_publishes_into_a_full_queue_waits_for_room()
    {
        var user = UserProject.Compile("""
            using Microsoft.Extensions.Hosting;
            public static class Program { public static void Main() { } }
            [Publish(PublishStrategy.Background)] public sealed partial record Told(int N) : INotification;
            public static class Gate { public static readonly TaskCompletionSource Entered = new(), Open = new(); public static int Sum; }
            internal sealed class OnTold : INotificationHandler<Told> { public async ValueTask Handle(Told n, CancellationToken ct) { Gate.Entered.TrySetResult(); await Gate.Open.Task; Gate.Sum += n.N; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider(o => o.BackgroundQueueLength = 1).BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PublishAsync(new Told(1));
                    await Gate.Entered.Task;
                    await d.PublishAsync(new Told(2));
                    var third = d.PublishAsync(new Told(4)).AsTask();
                    using var impatient = new CancellationTokenSource();
                    var fourth = d.PublishAsync(new Told(8), impatient.Token).AsTask();
                    impatient.Cancel();
                    var gaveUp = false;
                    try { await fourth; } catch (OperationCanceledException) { gaveUp = true; }
                    var waited = !third.IsCompleted;
                    Gate.Open.SetResult();
                    await third;
                    foreach (var service in provider.GetServices<IHostedService>()) await service.StopAsync(CancellationToken.None);
                    return waited + " " + gaveUp + " " + Gate.Sum;
                }
            }
            """);

        Assert.Equal("True True 7", await user.Run());
    }

    [Fact]
    public async Task Strategy_of_the_assembly_and_of_the_options_hold_where_the_notification_says_nothing()
    {
        var user = UserProject.Compile("""
            [assembly: Publish(PublishStrategy.SequentialContinue)]
            public static class Program { public static void Main() { } }
            public sealed partial record Told : INotification;
            [Publish(PublishStrategy.Sequential)] public sealed partial record Strict : INotification;
            public static class Log { public static List<string> All = new(); }
            [Handler(Order = 1)] internal sealed class H1 : INotificationHandler<Told>, INotificationHandler<Strict>
            { public ValueTask Handle(Told n, CancellationToken ct) => throw new InvalidOperationException(); public ValueTask Handle(Strict n, CancellationToken ct) => throw new InvalidOperationException(); }
            [Handler(Order = 2)] internal sealed class H2 : INotificationHandler<Told>, INotificationHandler<Strict>
            { public ValueTask Handle(Told n, CancellationToken ct) { Log.All.Add("told"); return default; } public ValueTask Handle(Strict n, CancellationToken ct) { Log.All.Add("strict"); return default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    try { await d.PublishAsync(new Told()); } catch (AggregateException e) { Log.All.Add("all" + e.InnerExceptions.Count); }
                    try { await d.PublishAsync(new Strict()); } catch (InvalidOperationException) { Log.All.Add("first"); }
                    return string.Join(" ", Log.All);
                }
            }
            """);

        Assert.Equal("told all1 first", await user.Run());
    }
}
