namespace Postrider.GeneratorTests;

/// <summary>Middleware around each handler of a notification.</summary>
public sealed class NotificationMiddlewareTests
{
    private const string Main = """
        public static class Program { public static void Main() { } }
        public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) { lock (Lines) Lines.Add(line.ToString()!); } public static string All => string.Join(" ", Lines); }

        """;

    private const string Told = """
        public sealed partial record Told(int N) : INotification;
        public sealed partial record Ask : IQuery<int>;
        public static class Asked { [Handler] public static int On(Ask q) { Log.Add("ask"); return 1; } }
        [Handler(Order = 1)] internal sealed class A : INotificationHandler<Told> { public async ValueTask Handle(Told n, CancellationToken ct) { await Task.Yield(); Log.Add("A" + n.N); } }
        [Handler(Order = 2)] internal sealed class B : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) { Log.Add("B" + n.N); return n.N < 0 ? throw new InvalidOperationException("negative") : default; } }
        internal static class C { [Handler(Order = 3)] public static async Task<int> On(Told n) { await Task.Yield(); Log.Add("C" + n.N); return 3; } [Handler(Order = 4)] public static string Also(Told n) { Log.Add("D" + n.N); return ""; } }

        """;

    private const string Run = """

        public static class App
        {
            public static async Task<string> Run()
            {
                await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                var d = provider.GetRequiredService<IDispatcher>();
                foreach (var n in new[] { 1, -1 })
                    try { await d.PublishAsync(new Told(n)); } catch (InvalidOperationException e) { Log.Add("!" + e.Message); }
                await d.SendAsync(new Ask());
                return Log.All;
            }
        }
        """;

    [Fact]
    public async Task Middleware_runs_around_each_handler_in_its_order_and_only_where_it_fits()
    {
        var user = UserProject.Compile(Main + Told + """
            [Middleware(Order = 1)] internal sealed class All<Q, R> : IMiddleware<Q, R> where Q : notnull
            { public async ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { Log.Add("<"); try { return await next.Invoke(q, ct); } finally { Log.Add(">"); } } }
            [Middleware(Order = 2)] internal sealed class Heard<N> : IMiddleware<N, Unit> where N : INotification
            { public ValueTask<Unit> Handle(N n, Next<N, Unit> next, CancellationToken ct) { Log.Add("n"); return next.Invoke(n, ct); } }
            [Middleware(Order = 3)] internal sealed class Asks<Q, R> : IMiddleware<Q, R> where Q : IRequest<R>
            { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { Log.Add("q"); return next.Invoke(q, ct); } }
            [Middleware(Order = 4)] internal sealed class Tens : IMiddleware<Told, Unit>
            { public ValueTask<Unit> Handle(Told n, Next<Told, Unit> next, CancellationToken ct) => next.Invoke(n with { N = n.N * 10 }, ct); }
            """ + Run);

        Assert.Equal("< n A10 > < n B10 > < n C10 > < n D10 > < n A-10 > < n B-10 > !negative < q ask >", await user.Run());
    }

    [Fact]
    public async Task Exception_handler_keeps_one_handler_from_ending_the_others()
    {
        var user = UserProject.Compile(Main + Told + """
            [Middleware(Order = 1)] internal sealed class Swallow<N> : IExceptionHandler<N, Unit, InvalidOperationException> where N : INotification
            { public ValueTask<ExceptionHandlerResult<Unit>> Handle(N n, InvalidOperationException e, CancellationToken ct) { Log.Add("swallowed"); return new(new ExceptionHandlerResult<Unit>(default)); } }
            [Middleware(Order = 2)] internal sealed class Around<N> : IPreProcessor<N>, IPostProcessor<N, Unit>, IExceptionAction<N, Exception> where N : INotification
            {
                public async ValueTask Process(N n, CancellationToken ct) { await Task.Yield(); Log.Add("pre"); }
                public ValueTask Process(N n, Unit r, CancellationToken ct) { Log.Add("post"); return default; }
                public ValueTask Act(N n, Exception e, CancellationToken ct) { Log.Add("seen"); return default; }
            }
            [Middleware(Order = 3)] internal sealed class Hooks<N> : IBeforeHook<N>, IAfterHook<N, Unit>, IFinallyHook<N> where N : INotification
            { public void Before(N n) => Log.Add("b"); public void After(N n, Unit r) => Log.Add("a"); public void Finally(N n, Exception? e) => Log.Add(e is null ? "f" : "x"); }
            """ + Run.Replace("1, -1", "-1", StringComparison.Ordinal));

        Assert.Equal(
            "pre b A-1 a f post pre b B-1 x seen swallowed pre b C-1 a f post pre b D-1 a f post ask", await user.Run());
    }

    [Fact]
    public async Task Middleware_takes_scope_and_context_and_stands_around_handlers_of_bases()
    {
        var user = UserProject.Compile(Main + """
            public interface IAudited : INotification;
            public record Base : INotification;
            [Publish(PublishStrategy.Parallel)] public sealed partial record Leaf : Base, IAudited;
            public sealed class Visit { static int s_made; public int Id = ++s_made; }
            [Handler(Order = 1)] internal sealed class OnLeaf(Visit visit) : INotificationHandler<Leaf> { public ValueTask Handle(Leaf n, CancellationToken ct) { Log.Add("leaf" + visit.Id); return default; } }
            [Handler(Order = 2)] internal sealed class OnBase : INotificationHandler<Base> { public ValueTask Handle(Base n, CancellationToken ct) { Log.Add("base"); return default; } }
            [Handler(Order = 3)] internal sealed class OnAudited : INotificationHandler<IAudited> { public ValueTask Handle(IAudited n, CancellationToken ct) { Log.Add("audited"); return default; } }
            [Middleware(Order = 1)] internal sealed class Scoped<N>(Visit visit) : IMiddleware<N, Unit> where N : Base
            { public ValueTask<Unit> Handle(N n, Next<N, Unit> next, CancellationToken ct) { Log.Add(typeof(N).Name + visit.Id); return next.Invoke(n, ct); } }
            [Middleware(Order = 2)] internal sealed class Who<N, R> : IContextMiddleware<N, R> where N : IAudited
            { public ValueTask<R> Handle(N n, MessageContext context, Next<N, R> next, CancellationToken ct) { Log.Add(context.CorrelationId); return next.Invoke(n, ct); } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddScoped<Visit>().AddPostrider().BuildServiceProvider(true);
                    var factory = provider.GetRequiredService<DispatcherFactory>();
                    await factory.Make(new CallOrigin { CorrelationId = "c" }).PublishAsync(new Leaf());
                    await factory.Make(new CallOrigin()).PublishAsync(new Base());
                    return Log.All;
                }
            }
            """);

        Assert.Equal("Leaf1 c leaf1 Base1 base c audited Base2 base", await user.Run());
    }

    [Fact]
    public async Task Ready_middleware_retries_only_the_handler_that_failed()
    {
        var user = UserProject.Compile("""
            [assembly: UseMiddleware(typeof(Postrider.Middleware.RetryMiddleware<,>), Order = 1)]

            """ + Main + """
            public sealed partial record Told : INotification;
            [Handler(Order = 1)] internal sealed class A : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) { Log.Add("A"); return default; } }
            [Handler(Order = 2)] internal sealed class B : INotificationHandler<Told>
            { static int s_calls; public ValueTask Handle(Told n, CancellationToken ct) { Log.Add("B"); return ++s_calls < 3 ? throw new TimeoutException() : default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var retry = new Postrider.Middleware.RetryOptions { Policy = new() { MaxAttempts = 4, BaseDelay = TimeSpan.Zero } };
                    await using var provider = new ServiceCollection().AddSingleton(retry).AddPostrider().BuildServiceProvider(true);
                    await provider.GetRequiredService<IDispatcher>().PublishAsync(new Told());
                    return Log.All;
                }
            }
            """);

        Assert.Equal("A B B B", await user.Run());
    }

    [Fact]
    public async Task Middleware_with_memory_has_one_for_each_handler()
    {
        var user = UserProject.Compile("""
            [assembly: UseMiddleware(typeof(Postrider.Middleware.IdempotencyMiddleware<,>))]

            """ + Main + """
            public sealed partial record Told(string Key) : INotification, Postrider.Middleware.IIdempotent { public string IdempotencyKey => Key; }
            [Handler(Order = 1)] internal sealed class A : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) { Log.Add("A" + n.Key); return default; } }
            [Handler(Order = 2)] internal sealed class B : INotificationHandler<Told> { public ValueTask Handle(Told n, CancellationToken ct) { Log.Add("B" + n.Key); return default; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    foreach (var key in new[] { "1", "1", "2" }) await provider.GetRequiredService<IDispatcher>().PublishAsync(new Told(key));
                    return Log.All;
                }
            }
            """);

        Assert.Equal("A1 B1 A2 B2", await user.Run());
    }

    [Fact]
    public async Task Middleware_of_a_project_stands_around_the_handlers_of_those_that_it_refers_to()
    {
        const string Ring = """
            [Middleware] internal sealed class {0}Ring<N> : IMiddleware<N, Unit> where N : INotification
            {{ public async ValueTask<Unit> Handle(N n, Next<N, Unit> next, CancellationToken ct) {{ Log.Add("<{0}"); await Task.Yield(); await next.Invoke(n, ct); Log.Add("{0}>"); return default; }} }}
            [Handler(Order = {1})] internal sealed class {0}Handler : INotificationHandler<Told> {{ public ValueTask Handle(Told n, CancellationToken ct) {{ Log.Add("{0}"); return default; }} }}
            """;
        var common = UserProject.Compile(Main.Replace("Program", "CommonProgram", StringComparison.Ordinal) + """
            public sealed partial record Told : INotification;
            public class Open : INotification { }
            internal sealed class OnOpen : INotificationHandler<Open> { public ValueTask Handle(Open n, CancellationToken ct) { Log.Add("open"); return default; } }

            """ + Format(Ring, "common", 4), "Common", isLibrary: true);
        var left = UserProject.Compile(Format(Ring, "left", 3), "Left", isLibrary: true, references: common);
        var right = UserProject.Compile(Format(Ring, "right", 2), "Right", isLibrary: true, references: [common, left]);
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public sealed class Derived : Open { }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.PublishAsync(new Told());
                    await d.PublishAsync(new Derived());
                    var map = provider.GetRequiredService<Postrider.Dispatch.IHandlerMap>().Messages;
                    Log.Add(string.Join(";", map.Where(m => m.Message == "Told").Select(m => string.Join(",", m.Middleware.Select(x => x.Split('<')[0])))));
                    return Log.All;
                }
            }

            """ + Format(Ring, "host", 1), references: [common, left, right]);

        var log = await user.Run(common, left, right);

        // The host refers to all, in an order that says nothing; right refers to left, both to the common project.
        Assert.Equal(
            "<host host host> <host <right right right> host> <host <right <left left left> right> host> "
            + "<host <right <left <common common common> left> right> host> "
            + "<host <right <left <common open common> left> right> host> "
            + "hostRing;hostRing,rightRing;hostRing,rightRing,leftRing;hostRing,rightRing,leftRing,commonRing", log);
    }

    private static string Format(string text, string name, int order)
        => string.Format(System.Globalization.CultureInfo.InvariantCulture, text, name, order);
}
