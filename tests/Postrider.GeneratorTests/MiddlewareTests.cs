namespace Postrider.GeneratorTests;

public sealed class MiddlewareTests
{
    private const string Main = """
        public static class Program { public static void Main() { } }
        public static class Log { public static readonly List<string> Lines = new(); public static void Add(string line) => Lines.Add(line); public static string All => string.Join(" ", Lines); }
        public sealed partial record Ask(int N) : IQuery<int>;
        public sealed partial record Do(int N) : ICommand;
        internal sealed class AskHandler : IRequestHandler<Ask, int> { public ValueTask<int> Handle(Ask q, CancellationToken ct) { Log.Add("ask"); return q.N < 0 ? throw new InvalidOperationException("negative") : new(q.N); } }
        internal sealed class DoHandler : ICommandHandler<Do> { public async ValueTask Handle(Do c, CancellationToken ct) { await Task.Yield(); Log.Add("do"); } }

        """;

    private const string Run = """

        public static class App
        {
            public static async Task<string> Run()
            {
                await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                var d = provider.GetRequiredService<IDispatcher>();
                foreach (var n in new[] { 1, -1 })
                {
                    try { Log.Add("=" + await d.SendAsync(new Ask(n))); } catch (InvalidOperationException e) { Log.Add("!" + e.Message); }
                }
                await d.SendAsync(new Do(1));
                return Log.All;
            }
        }
        """;

    [Fact]
    public async Task Middleware_runs_in_its_order_and_only_where_it_fits()
    {
        var user = UserProject.Compile(Main + """
            [Middleware(Order = 2)] internal sealed class Second<Q, R> : IMiddleware<Q, R> where Q : IRequest<R>
            { public async ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { Log.Add("2<"); try { return await next.Invoke(q, ct); } finally { Log.Add(">2"); } } }
            [Middleware(Order = 1)] internal sealed class First<Q, R> : IMiddleware<Q, R> where Q : IQuery<R>
            { public async ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { Log.Add("1<"); try { return await next.Invoke(q, ct); } finally { Log.Add(">1"); } } }
            [Middleware(Order = 3)] internal sealed class ForAsk : IMiddleware<Ask, int>
            { public ValueTask<int> Handle(Ask q, Next<Ask, int> next, CancellationToken ct) { Log.Add("3"); return next.Invoke(q with { N = q.N * 10 }, ct); } }
            """ + Run);

        Assert.Equal("1< 2< 3 ask >2 >1 =10 1< 2< 3 ask >2 >1 !negative 2< do >2", await user.Run());
    }

    [Fact]
    public async Task Middleware_may_answer_itself_and_may_ask_again()
    {
        var user = UserProject.Compile(Main + """
            [Middleware(Order = 1)] internal sealed class Short : IMiddleware<Ask, int>
            { public ValueTask<int> Handle(Ask q, Next<Ask, int> next, CancellationToken ct) => q.N < 0 ? new(0) : next.Invoke(q, ct); }
            [Middleware(Order = 2)] internal sealed class Twice : IMiddleware<Ask, int>
            { public async ValueTask<int> Handle(Ask q, Next<Ask, int> next, CancellationToken ct) => await next.Invoke(q, ct) + await next.Invoke(q, ct); }
            """ + Run);

        Assert.Equal("ask ask =2 =0 do", await user.Run());
    }

    [Fact]
    public async Task Hooks_are_called_around_the_handler_and_see_its_error()
    {
        var user = UserProject.Compile(Main + """
            [Middleware(Order = 1)] internal sealed class All<Q, R> : IBeforeHook<Q>, IAfterHook<Q, R>, IFinallyHook<Q> where Q : IRequest<R>
            {
                public void Before(Q q) => Log.Add("b");
                public void After(Q q, R r) => Log.Add("a" + r);
                public void Finally(Q q, Exception? e) => Log.Add("f:" + (e is null ? "ok" : e.Message));
            }
            [Middleware(Order = 2)] internal sealed class Inner<Q> : IBeforeHook<Q> { public void Before(Q q) => Log.Add("i"); }
            """ + Run);

        Assert.Equal("b i ask a1 f:ok =1 b i ask f:negative !negative b i do a() f:ok", await user.Run());
    }

    [Fact]
    public async Task Processors_and_exception_handlers_stand_around_the_handler()
    {
        var user = UserProject.Compile(Main + """
            [Middleware(Order = 1)] internal sealed class Rescue : IExceptionHandler<Ask, int, InvalidOperationException>
            { public ValueTask<ExceptionHandlerResult<int>> Handle(Ask q, InvalidOperationException e, CancellationToken ct) => new(new ExceptionHandlerResult<int>(77)); }
            [Middleware(Order = 2)] internal sealed class Note<Q> : IExceptionAction<Q, Exception>
            { public ValueTask Act(Q q, Exception e, CancellationToken ct) { Log.Add("noted"); return default; } }
            [Middleware(Order = 3)] internal sealed class Pre<Q> : IPreProcessor<Q> { public async ValueTask Process(Q q, CancellationToken ct) { await Task.Yield(); Log.Add("pre"); } }
            [Middleware(Order = 4)] internal sealed class Post<Q, R> : IPostProcessor<Q, R> { public ValueTask Process(Q q, R r, CancellationToken ct) { Log.Add("post" + r); return default; } }
            """ + Run);

        Assert.Equal("pre ask post1 =1 pre ask noted =77 pre do post()", await user.Run());
    }

    [Fact]
    public async Task Stream_middleware_changes_the_items()
    {
        var user = UserProject.Compile("""
            public static class Program { public static void Main() { } }
            public sealed partial record Count(int To) : IStreamRequest<int>;
            internal static class H { [Handler] public static async IAsyncEnumerable<int> On(Count q) { for (var i = 0; i < q.To; i++) { await Task.Yield(); yield return i; } } }
            [Middleware] internal sealed class Even<Q> : IStreamMiddleware<Q, int> where Q : IStreamRequest<int>
            { public async IAsyncEnumerable<int> Handle(Q q, NextStream<Q, int> next, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct) { await foreach (var i in next.Invoke(q, ct)) if (i % 2 == 0) yield return i; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                    var log = "";
                    await foreach (var i in provider.GetRequiredService<IDispatcher>().StreamAsync(new Count(5))) log += i;
                    return log;
                }
            }
            """);

        Assert.Equal("024", await user.Run());
    }

    [Fact]
    public async Task Ready_middleware_is_applied_by_the_assembly()
    {
        var user = UserProject.Compile("""
            using System.ComponentModel.DataAnnotations;
            using Postrider.Middleware;
            [assembly: UseMiddleware(typeof(ValidationMiddleware<,>), Order = 1)]
            [assembly: UseMiddleware(typeof(CachingMiddleware<,>), Order = 2)]
            [assembly: UseMiddleware(typeof(IdempotencyMiddleware<,>), Order = 3)]
            public static class Program { public static void Main() { } }
            public sealed partial record Ask([property: Range(1, 9)] int N) : IQuery<int>, ICacheable { public string CacheKey => N.ToString(); public TimeSpan CacheFor => TimeSpan.FromMinutes(1); }
            public sealed partial record Pay(string Key) : ICommand<int>, IIdempotent { public string IdempotencyKey => Key; }
            public static class H
            {
                static int s_asked, s_paid;
                [Handler] public static int On(Ask q) => q.N * 100 + ++s_asked;
                [Handler] public static int On(Pay c) => ++s_paid;
            }
            public sealed class NoSeven : IValidator<Ask> { public IEnumerable<ValidationError> Validate(Ask a) { if (a.N == 7) yield return new("N", "Seven is taken."); } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var clock = new Microsoft.Extensions.Time.Testing.FakeTimeProvider();
                    await using var provider = new ServiceCollection().AddSingleton<TimeProvider>(clock).AddSingleton<IValidator<Ask>, NoSeven>().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    var log = new List<string>();
                    log.Add((await d.SendAsync(new Ask(1))).ToString());
                    log.Add((await d.SendAsync(new Ask(1))).ToString());
                    clock.Advance(TimeSpan.FromMinutes(2));
                    log.Add((await d.SendAsync(new Ask(1))).ToString());
                    foreach (var n in new[] { 0, 7 })
                        try { await d.SendAsync(new Ask(n)); } catch (InvalidMessageException e) { log.Add(e.Errors[0].Member + e.Errors.Count); }
                    log.Add(await d.SendAsync(new Pay("a")) + "," + await d.SendAsync(new Pay("a")) + "," + await d.SendAsync(new Pay("b")));
                    return string.Join(" ", log);
                }
            }
            """);

        Assert.Equal("101 101 102 N1 N1 1,1,2", await user.Run());
    }

    [Fact]
    public async Task Middleware_stands_around_the_handlers_of_referenced_projects_too()
    {
        var library = UserProject.Compile("""
            namespace Sales;
            public static class Log { public static readonly List<string> Lines = new(); public static void Add(string line) => Lines.Add(line); public static string All => string.Join(" ", Lines); }
            public sealed class Store { public int Price = 3; }
            public sealed partial record Price(int N) : IQuery<int>;
            public sealed partial record Free : IQuery<int>;
            public sealed partial record Steps : IStreamRequest<int>;
            internal sealed partial record Inner : IQuery<int>;
            internal sealed class PriceHandler(Store store) : IRequestHandler<Price, int> { public ValueTask<int> Handle(Price q, CancellationToken ct) { Log.Add("price"); return new(q.N * store.Price); } }
            internal static class Handlers
            {
                [Handler] public static int On(Free q) => 0;
                [Handler] public static int On(Inner q) => 0;
                [Handler] public static async IAsyncEnumerable<int> On(Steps q) { await Task.Yield(); yield return 1; yield return 2; }
            }
            [Middleware(Order = 5)] internal sealed class Own<Q, R> : IMiddleware<Q, R> where Q : IQuery<R>
            { public ValueTask<R> Handle(Q q, Next<Q, R> next, CancellationToken ct) { Log.Add("own"); return next.Invoke(q, ct); } }
            """, "Sales", isLibrary: true);
        var user = UserProject.Compile("""
            using Sales;
            public static class Program { public static void Main() { } }
            [Middleware(Order = 1)] internal sealed class Who<Q, R> : IContextMiddleware<Q, R> where Q : IQuery<R>
            { public async ValueTask<R> Handle(Q q, MessageContext context, Next<Q, R> next, CancellationToken ct) { Log.Add(context.MessageId == context.CorrelationId ? "who" : "?"); await Task.Yield(); return await next.Invoke(q, ct); } }
            [Middleware(Order = 2)] internal sealed class Discount(Store store) : IMiddleware<Price, int>
            { public ValueTask<int> Handle(Price q, Next<Price, int> next, CancellationToken ct) { Log.Add("discount" + store.Price); return next.Invoke(q with { N = q.N - 1 }, ct); } }
            [Middleware(Order = 3)] internal sealed class Count<Q> : IBeforeHook<Q> where Q : IQuery<int> { public void Before(Q q) => Log.Add("count"); }
            [Middleware] internal sealed class Twice<Q> : IStreamMiddleware<Q, int> where Q : IStreamRequest<int>
            { public async IAsyncEnumerable<int> Handle(Q q, NextStream<Q, int> next, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken ct) { await foreach (var i in next.Invoke(q, ct)) yield return i * 2; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddScoped<Store>().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    Log.Add((await d.SendAsync(new Price(5))).ToString());
                    Log.Add((await d.SendAsync(new Free())).ToString());
                    await foreach (var i in d.StreamAsync(new Steps())) Log.Add("#" + i);
                    var map = provider.GetRequiredService<Postrider.Dispatch.IHandlerMap>().Messages.Single(m => m.Message == "Sales.Price");
                    Log.Add(map.Needs + ":" + string.Join(",", map.Middleware.Select(m => m.Split('<')[0])));
                    return Log.All;
                }
            }
            """, references: library);

        Assert.Equal(
            "who discount3 count own price 12 who count own 0 #2 #4 ScopeAndContext:Who,Discount,Count,Sales.Own",
            await user.Run(library));
    }

    [Fact]
    public async Task Hooks_are_made_as_often_as_their_lifetime_says()
    {
        var user = UserProject.Compile(Main + """
            public sealed class Visit { static int s_made; public int Id = ++s_made; }
            [Middleware(Order = 1)] internal sealed class Stopwatch<Q, R> : IBeforeHook<Q>, IAfterHook<Q, R> where Q : IRequest<R>
            { int _calls; public void Before(Q q) => _calls++; public void After(Q q, R r) => Log.Add("calls" + _calls); }
            [Middleware(Order = 2)] internal sealed class PerScope<Q>(Visit visit) : IBeforeHook<Q> { public void Before(Q q) => Log.Add("visit" + visit.Id); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddScoped<Visit>().AddPostrider().BuildServiceProvider(true);
                    var d = provider.GetRequiredService<IDispatcher>();
                    await d.SendAsync(new Ask(1));
                    await d.SendAsync(new Do(1));
                    await using var scope = provider.CreateAsyncScope();
                    var scoped = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                    await scoped.SendAsync(new Ask(2));
                    await scoped.SendAsync(new Ask(3));
                    return Log.All;
                }
            }
            """);

        Assert.Equal("visit1 ask calls1 visit2 do calls1 visit3 ask calls1 visit3 ask calls1", await user.Run());
    }

    [Fact]
    public async Task One_class_may_be_the_middleware_of_several_messages()
    {
        var user = UserProject.Compile(Main + """
            [Middleware] internal sealed class Both : IBeforeHook<Ask>, IAfterHook<Ask, int>, IPreProcessor<Do>
            {
                public void Before(Ask q) => Log.Add("before");
                public void After(Ask q, int r) => Log.Add("after" + r);
                public ValueTask Process(Do c, CancellationToken ct) { Log.Add("pre"); return default; }
            }
            [Middleware(Order = 1)] internal sealed class Rescue : IExceptionHandler<Ask, int, InvalidOperationException>, IExceptionHandler<Ask, int, ArgumentException>
            {
                public ValueTask<ExceptionHandlerResult<int>> Handle(Ask q, InvalidOperationException e, CancellationToken ct) => new(new ExceptionHandlerResult<int>(70));
                public ValueTask<ExceptionHandlerResult<int>> Handle(Ask q, ArgumentException e, CancellationToken ct) => new(new ExceptionHandlerResult<int>(80));
            }
            """ + Run);

        Assert.Equal("before ask after1 =1 before ask after70 =70 pre do", await user.Run());
    }
}
