namespace Postrider.GeneratorTests;

/// <summary>Handlers that live as long as a scope: made when a message first needs them, one per scope, disposed with it.</summary>
public sealed class ScopedHandlerTests
{
    private const string Main = """
        public static class Program { public static void Main() { } }
        public static class Log { static readonly List<string> s_lines = new(); public static void Add(object line) { lock (s_lines) s_lines.Add(line.ToString()!); } public static string All => string.Join(" ", s_lines); }

        """;

    [Fact]
    public async Task Registering_takes_no_more_of_the_container_for_more_handlers()
    {
        var few = UserProject.Compile(Main + Counted(1), "Few");
        var many = UserProject.Compile(Main + Counted(40), "Many");

        Assert.Equal(await few.Run(), await many.Run());

        static string Counted(int count) => string.Concat(Enumerable.Range(0, count).Select(n => $$"""
            public sealed partial record M{{n}} : IQuery<int>;
            [Handler(Lifetime = HandlerLifetime.{{(n % 2 == 0 ? "Scoped" : "Transient")}})]
            internal sealed class H{{n}}(TimeProvider time) : IRequestHandler<M{{n}}, int>, IDisposable
            { public ValueTask<int> Handle(M{{n}} q, CancellationToken ct) => new(time is null ? 0 : 1); public void Dispose() { } }

            """)) + "public static class App { public static async Task<string> Run() { await Task.Yield(); return new ServiceCollection().AddPostrider().Count.ToString(); } }";
    }

    [Fact]
    public async Task Handler_ends_before_what_it_was_made_from_and_after_what_was_made_later()
    {
        var user = UserProject.Compile(Main + """
            public sealed class Early : IDisposable { public void Dispose() => Log.Add("early"); }
            public sealed class Late : IDisposable { public void Dispose() => Log.Add("late"); }
            public sealed partial record Scoped : ICommand;
            public sealed partial record PerCall : ICommand;
            [Handler(Lifetime = HandlerLifetime.Scoped)]
            internal sealed class ScopedHandler(Early early, IServiceProvider services) : ICommandHandler<Scoped>, IDisposable
            { public ValueTask Handle(Scoped c, CancellationToken ct) { services.GetRequiredService<Late>(); return default; } public void Dispose() => Log.Add("scoped" + (early is null)); }
            [Handler(Lifetime = HandlerLifetime.Transient)]
            internal sealed class PerCallHandler(Early early) : ICommandHandler<PerCall>, IAsyncDisposable
            { public ValueTask Handle(PerCall c, CancellationToken ct) => default; public async ValueTask DisposeAsync() { await Task.Yield(); Log.Add("perCall" + (early is null)); } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddScoped<Early>().AddScoped<Late>().AddPostrider().BuildServiceProvider(true);
                    var root = provider.GetRequiredService<IDispatcher>();
                    await root.SendAsync(new Scoped());
                    Log.Add("|");
                    await using (var scope = provider.CreateAsyncScope())
                    {
                        var d = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                        await d.SendAsync(new PerCall());
                        await d.SendAsync(new PerCall());
                        await d.SendAsync(new Scoped());
                        Log.Add("end");
                    }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("late scopedFalse early | end late scopedFalse perCallFalse perCallFalse early", await user.Run());
    }

    [Fact]
    public async Task Scope_that_can_only_end_at_once_says_so_of_a_handler_that_cannot()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Do : ICommand;
            [Handler(Lifetime = HandlerLifetime.Scoped)]
            internal sealed class DoHandler : ICommandHandler<Do>, IAsyncDisposable { public ValueTask Handle(Do c, CancellationToken ct) => default; public ValueTask DisposeAsync() { Log.Add("ended"); return default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    await provider.GetRequiredService<IDispatcher>().SendAsync(new Do());
                    var scope = provider.CreateScope();
                    await scope.ServiceProvider.GetRequiredService<IDispatcher>().SendAsync(new Do());
                    try { scope.Dispose(); }
                    catch (InvalidOperationException error) { Log.Add(error.Message.Contains("DoHandler")); }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("ended True", await user.Run());
    }

    [Fact]
    public async Task Singleton_ends_with_the_container_and_once()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Ask : IQuery<int>;
            public sealed partial record Tell : INotification;
            [Handler(Lifetime = HandlerLifetime.Singleton)]
            internal sealed class Both : IRequestHandler<Ask, int>, INotificationHandler<Tell>, IDisposable
            {
                int _calls;
                public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(++_calls);
                public ValueTask Handle(Tell n, CancellationToken ct) { Log.Add("heard" + ++_calls); return default; }
                public void Dispose() => Log.Add("ended");
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using (var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true))
                    {
                        await using (var scope = provider.CreateAsyncScope())
                            Log.Add(await scope.ServiceProvider.GetRequiredService<IDispatcher>().SendAsync(new Ask()));
                        await provider.GetRequiredService<IDispatcher>().PublishAsync(new Tell());
                        Log.Add("|");
                    }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("1 heard2 | ended", await user.Run());
    }

    [Fact]
    public async Task Dispatcher_that_a_handler_takes_reaches_the_same_handlers()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record First : IQuery<string>;
            public sealed partial record Second : IQuery<string>;
            public sealed partial record Third : IQuery<string>;
            public sealed class Middle(IDispatcher dispatcher) { public ValueTask<string> Ask() => dispatcher.SendAsync(new Second()); }
            internal sealed class Both(Middle middle) : IRequestHandler<First, string>, IRequestHandler<Second, string>
            {
                int _calls;
                public async ValueTask<string> Handle(First q, CancellationToken ct) => ++_calls + await middle.Ask();
                public async ValueTask<string> Handle(Second q, CancellationToken ct) { await Task.Yield(); return "," + ++_calls; }
            }
            internal sealed class ThirdHandler(IDispatcher dispatcher) : IRequestHandler<Third, string>
            { public async ValueTask<string> Handle(Third q, CancellationToken ct) => await dispatcher.SendAsync(new First()) + await dispatcher.SendAsync(new First()); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddTransient<Middle>().AddPostrider().BuildServiceProvider(true);
                    var root = provider.GetRequiredService<IDispatcher>();
                    Log.Add(await root.SendAsync(new First()));
                    Log.Add(await root.SendAsync(new Third()));
                    await using var scope = provider.CreateAsyncScope();
                    var d = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                    Log.Add(await d.SendAsync(new First()));
                    Log.Add(await scope.ServiceProvider.GetRequiredService<IDispatcher>().SendAsync(new Third()));
                    return Log.All;
                }
            }
            """);

        Assert.Equal("1,2 1,23,4 1,2 3,45,6", await user.Run());
    }

    [Fact]
    public async Task Registration_of_the_application_s_own_makes_the_handler()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Ask : IQuery<string>;
            [Handler(Lifetime = HandlerLifetime.Scoped)]
            internal class AskHandler : IRequestHandler<Ask, string> { public virtual ValueTask<string> Handle(Ask q, CancellationToken ct) => new("asked"); }
            public static class App
            {
                static async Task Try(Action<IServiceCollection> configure)
                {
                    var services = new ServiceCollection();
                    services.AddPostrider();
                    configure(services);
                    await using var provider = services.BuildServiceProvider(true);
                    await using (var scope = provider.CreateAsyncScope())
                    {
                        Log.Add(await scope.ServiceProvider.GetRequiredService<IDispatcher>().SendAsync(new Ask()));
                        if (scope.ServiceProvider.GetService<AskHandler>() is { } own) Log.Add(await own.Handle(new(), default));
                    }
                    Log.Add(await provider.GetRequiredService<IDispatcher>().SendAsync(new Ask()) + "|");
                }
                public static async Task<string> Run()
                {
                    await Try(s => { });
                    await Try(s => s.AddScoped<AskHandler>());
                    await Try(s => s.AddScoped<AskHandler>(p => new Around(new AskHandler())));
                    return Log.All;
                }
                private sealed class Around(AskHandler inner) : AskHandler, IDisposable
                {
                    int _calls;
                    public override async ValueTask<string> Handle(Ask q, CancellationToken ct) => ++_calls + "<" + await inner.Handle(q, ct) + ">";
                    public void Dispose() => Log.Add("ended");
                }
            }
            """);

        Assert.Equal("asked asked| asked asked asked| 1<asked> 2<asked> ended ended 1<asked>|", await user.Run());
    }

    [Fact]
    public async Task Callers_of_one_scope_at_the_same_time_meet_one_handler()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Ask : IQuery<object>;
            [Handler(Lifetime = HandlerLifetime.Scoped)]
            internal sealed class AskHandler : IRequestHandler<Ask, object> { public ValueTask<object> Handle(Ask q, CancellationToken ct) => new(this); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    for (var round = 0; round < 50; round++)
                    {
                        await using var scope = provider.CreateAsyncScope();
                        using var start = new Barrier(4);
                        var met = await Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Task.Factory.StartNew(() =>
                        {
                            var d = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                            start.SignalAndWait();
                            return d.SendAsync(new Ask()).AsTask();
                        }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap()));
                        if (met.Distinct().Count() != 1) return "round " + round + " met " + met.Distinct().Count();
                    }
                    return "one";
                }
            }
            """);

        Assert.Equal("one", await user.Run());
    }

    [Fact]
    public async Task Scope_keeps_each_of_many_handlers()
    {
        const int Count = 40;
        var user = UserProject.Compile(Main + string.Concat(Enumerable.Range(0, Count).Select(n => $$"""
            public sealed partial record M{{n}} : IQuery<int>;
            [Handler(Lifetime = HandlerLifetime.Scoped)]
            internal sealed class H{{n}} : IRequestHandler<M{{n}}, int> { int _calls; public ValueTask<int> Handle(M{{n}} q, CancellationToken ct) => new({{n}} * 1000 + ++_calls); }

            """)) + $$"""
            public static class App
            {
                public static async Task<string> Run()
                {
                    IRequest<int>[] all = [{{string.Join(", ", Enumerable.Range(0, Count).Select(n => $"new M{n}()"))}}];
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    await using var scope = provider.CreateAsyncScope();
                    var d = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                    for (var round = 1; round <= 3; round++)
                    {
                        for (var n = 0; n < all.Length; n++)
                            if (await d.SendAsync(all[n]) is var got && got != n * 1000 + round) return n + ": " + got;
                    }
                    return "each";
                }
            }
            """);

        Assert.Equal("each", await user.Run());
    }

    [Fact]
    public async Task Message_caused_by_one_that_needs_no_scope_gets_a_scope_of_its_own()
    {
        var user = UserProject.Compile(Main + """
            public sealed class Visit : IDisposable { public void Dispose() => Log.Add("ended"); }
            public sealed partial record Cause : ICommand;
            public sealed partial record Effect : ICommand;
            public static class H
            {
                [Handler] public static async ValueTask On(Cause c, MessageContext context, CancellationToken ct) { var follow = context.Follow(); await follow.SendAsync(new Effect(), ct); Log.Add("|"); }
                [Handler] public static void On(Effect e, Visit visit) => Log.Add(visit is not null);
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddScoped<Visit>().AddPostrider().BuildServiceProvider(true);
                    await provider.GetRequiredService<IDispatcher>().SendAsync(new Cause());
                    await provider.GetRequiredService<DispatcherFactory>().Make(new CallOrigin { Services = provider, CausationId = "x" }).SendAsync(new Cause());
                    return Log.All;
                }
            }
            """);

        Assert.Equal("True ended | True ended |", await user.Run());
    }

    [Fact]
    public async Task Scoped_middleware_and_hooks_are_one_instance_per_scope()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Ask : IQuery<int>;
            public sealed partial record Tell : INotification;
            internal sealed class AskHandler(TimeProvider time) : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) => new(time is null ? 0 : 1); }
            internal sealed class TellHandler(Visit visit) : INotificationHandler<Tell> { public ValueTask Handle(Tell n, CancellationToken ct) { Log.Add("told" + visit.Id); return default; } }
            public sealed class Visit { static int s_made; public int Id = Interlocked.Increment(ref s_made); }
            [Middleware(Lifetime = HandlerLifetime.Scoped)]
            internal sealed class Tally<TRequest, TResponse>(Visit visit) : IMiddleware<TRequest, TResponse>, IDisposable where TRequest : notnull
            {
                int _calls;
                public ValueTask<TResponse> Handle(TRequest q, Next<TRequest, TResponse> next, CancellationToken ct) { Log.Add("around" + visit.Id + "." + ++_calls); return next.Invoke(q, ct); }
                public void Dispose() => Log.Add("end" + _calls);
            }
            [Middleware(Lifetime = HandlerLifetime.Scoped, Order = 1)]
            internal sealed class Hook : IBeforeHook<Ask> { int _calls; public void Before(Ask q) => Log.Add("before" + ++_calls); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddSingleton(TimeProvider.System).AddScoped<Visit>().AddPostrider().BuildServiceProvider(true);
                    await using (var scope = provider.CreateAsyncScope())
                    {
                        var d = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                        await d.SendAsync(new Ask());
                        await d.SendAsync(new Ask());
                    }
                    var root = provider.GetRequiredService<IDispatcher>();
                    await root.SendAsync(new Ask());
                    await root.PublishAsync(new Tell());
                    return Log.All;
                }
            }
            """);

        Assert.Equal("around1.1 before1 around1.2 before2 end2 around2.1 before1 end1 around3.1 told3 end1", await user.Run());
    }
}
