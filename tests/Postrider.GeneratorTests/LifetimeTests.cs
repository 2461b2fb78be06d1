namespace Postrider.GeneratorTests;

/// <summary>How long handlers and middleware live, and when a scope is made.</summary>
public sealed class LifetimeTests
{
    private const string Main = """
        public static class Program { public static void Main() { } }
        public static class Log { public static readonly List<string> Lines = new(); public static void Add(object line) { lock (Lines) Lines.Add(line.ToString()!); } public static string All => string.Join(" ", Lines); }

        """;

    [Fact]
    public async Task Every_handler_lives_as_long_as_its_attribute_says()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record One : IQuery<int>;
            public sealed partial record PerScope : IQuery<int>;
            public sealed partial record PerCall : IQuery<int>;
            [Handler(Lifetime = HandlerLifetime.Singleton)]
            internal sealed class OneHandler : IRequestHandler<One, int> { int _calls; public ValueTask<int> Handle(One q, CancellationToken ct) => new(++_calls); }
            [Handler(Lifetime = HandlerLifetime.Scoped)]
            internal sealed class PerScopeHandler : IRequestHandler<PerScope, int>, IDisposable
            { int _calls; public ValueTask<int> Handle(PerScope q, CancellationToken ct) => new(++_calls); public void Dispose() => Log.Add("scope" + _calls); }
            [Handler(Lifetime = HandlerLifetime.Transient)]
            internal sealed class PerCallHandler(TimeProvider time) : IRequestHandler<PerCall, int> { int _calls = time is null ? 9 : 0; public ValueTask<int> Handle(PerCall q, CancellationToken ct) => new(++_calls); }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddSingleton(TimeProvider.System).AddPostrider().BuildServiceProvider(true);
                    await using (var scope = provider.CreateAsyncScope())
                    {
                        var d = scope.ServiceProvider.GetRequiredService<IDispatcher>();
                        for (var i = 0; i < 2; i++) Log.Add(await d.SendAsync(new One()) + "," + await d.SendAsync(new PerScope()) + "," + await d.SendAsync(new PerCall()));
                    }
                    var root = provider.GetRequiredService<IDispatcher>();
                    Log.Add(await root.SendAsync(new One()) + "," + await root.SendAsync(new PerScope()) + "," + await root.SendAsync(new PerCall()));
                    return Log.All;
                }
            }
            """);

        Assert.Equal("1,1,1 2,2,1 scope2 scope1 3,1,1", await user.Run());
    }

    [Fact]
    public async Task Middleware_that_lives_once_is_one_instance_for_all_the_messages_it_names()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Ask : IQuery<int>;
            public sealed partial record Do : ICommand;
            public sealed partial record Count : IStreamRequest<int>;
            public static class H { [Handler] public static int On(Ask q) => 1; [Handler] public static void On(Do c) { } [Handler] public static async IAsyncEnumerable<int> On(Count c) { await Task.Yield(); yield return 1; } }
            [Middleware(Lifetime = HandlerLifetime.Singleton)]
            internal sealed class Tally : IBeforeHook<Ask>, IPreProcessor<Do>, IMiddleware<Do, Unit>, IStreamMiddleware<Count, int>, IDisposable
            {
                int _calls;
                public void Before(Ask q) => Log.Add("ask" + ++_calls);
                public ValueTask Process(Do c, CancellationToken ct) { Log.Add("pre" + ++_calls); return default; }
                public ValueTask<Unit> Handle(Do c, Next<Do, Unit> next, CancellationToken ct) { Log.Add("around" + ++_calls); return next.Invoke(c, ct); }
                public IAsyncEnumerable<int> Handle(Count c, NextStream<Count, int> next, CancellationToken ct) { Log.Add("count" + ++_calls); return next.Invoke(c, ct); }
                public void Dispose() => Log.Add("disposed");
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    await using (var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true))
                    {
                        var d = provider.GetRequiredService<IDispatcher>();
                        await d.SendAsync(new Ask());
                        await d.SendAsync(new Do());
                        await foreach (var i in d.StreamAsync(new Count())) Log.Add("#" + i);
                        await d.SendAsync(new Ask());
                    }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("ask1 pre2 around3 count4 #1 ask5 disposed", await user.Run());
    }

    [Fact]
    public async Task Middleware_that_is_not_owned_by_the_container_is_one_instance_too()
    {
        var user = UserProject.Compile(Main + """
            public sealed partial record Ask : IQuery<int>;
            public sealed partial record Other : IQuery<int>;
            public static class H { [Handler] public static int On(Ask q) => 1; [Handler] public static int On(Other q) => 1; }
            [Middleware(Lifetime = HandlerLifetime.Singleton)]
            internal sealed class Tally : IMiddleware<Ask, int>, IMiddleware<Other, int>
            {
                int _calls;
                public ValueTask<int> Handle(Ask q, Next<Ask, int> next, CancellationToken ct) { Log.Add(++_calls); return next.Invoke(q, ct); }
                public ValueTask<int> Handle(Other q, Next<Other, int> next, CancellationToken ct) { Log.Add(++_calls); return next.Invoke(q, ct); }
            }
            public static class App
            {
                public static async Task<string> Run()
                {
                    for (var i = 0; i < 2; i++)
                    {
                        await using var provider = new ServiceCollection().AddPostrider().BuildServiceProvider(true);
                        var d = provider.GetRequiredService<IDispatcher>();
                        await d.SendAsync(new Ask());
                        await d.SendAsync(new Other());
                    }
                    return Log.All;
                }
            }
            """);

        Assert.Equal("1 2 1 2", await user.Run());
    }

    [Fact]
    public async Task Scope_is_made_for_messages_that_need_one_and_for_no_other()
    {
        var user = UserProject.Compile(Main + """
            public sealed class Visit;
            public sealed partial record Free(int N) : IQuery<int>;
            public sealed partial record Stateful(int N) : IQuery<int>;
            public sealed partial record Scoped(int N) : IQuery<int>;
            internal sealed class FreeHandler : IRequestHandler<Free, int> { public ValueTask<int> Handle(Free q, CancellationToken ct) => new(q.N); }
            internal sealed class StatefulHandler : IRequestHandler<Stateful, int> { int _sum; public ValueTask<int> Handle(Stateful q, CancellationToken ct) => new(_sum += q.N); }
            internal sealed class ScopedHandler(Visit visit) : IRequestHandler<Scoped, int> { public ValueTask<int> Handle(Scoped q, CancellationToken ct) => new(visit is null ? 0 : q.N); }
            public static class App
            {
                static IDispatcher s_dispatcher = null!;
                static long Bytes(Func<int> call)
                {
                    for (var i = 0; i < 10; i++) call();
                    var least = long.MaxValue;
                    for (var round = 0; round < 5; round++)
                    {
                        var before = GC.GetAllocatedBytesForCurrentThread();
                        for (var i = 0; i < 100; i++) call();
                        least = Math.Min(least, (GC.GetAllocatedBytesForCurrentThread() - before) / 100);
                    }
                    return least;
                }
                public static async Task<string> Run()
                {
                    await using var provider = new ServiceCollection().AddScoped<Visit>().AddPostrider().BuildServiceProvider();
                    s_dispatcher = provider.GetRequiredService<IDispatcher>();
                    var (free, stateful, scoped) = (new Free(1), new Stateful(1), new Scoped(1));
                    var scope = Bytes(() => { using (provider.CreateScope()) return 1; });
                    Log.Add(Bytes(() => s_dispatcher.SendAsync(free).Result));
                    Log.Add(Bytes(() => s_dispatcher.SendAsync(stateful).Result) < scope);
                    Log.Add(Bytes(() => s_dispatcher.SendAsync(scoped).Result) >= scope);
                    Log.Add(string.Join(",", provider.GetRequiredService<Postrider.Dispatch.IHandlerMap>().Messages.Select(m => m.Message + ":" + m.Needs)));
                    return Log.All;
                }
            }
            """);

        Assert.Equal("0 True True Free:None,Scoped:Scope,Stateful:None", await user.Run());
    }

    [Fact]
    public async Task Calls_inside_a_web_request_share_its_scope()
    {
        var user = UserProject.Compile("""
            using Microsoft.AspNetCore.Builder;
            using Microsoft.AspNetCore.Http;
            using Microsoft.Extensions.Logging;
            using System.Net.Http;

            """ + Main + """
            public sealed class Visit { static int s_made; public int Id = Interlocked.Increment(ref s_made); }
            public sealed partial record Which : IQuery<int>;
            internal sealed class WhichHandler(Visit visit) : IRequestHandler<Which, int> { public async ValueTask<int> Handle(Which q, CancellationToken ct) { await Task.Yield(); return visit.Id; } }
            public static class App
            {
                public static async Task<string> Run()
                {
                    var builder = WebApplication.CreateSlimBuilder();
                    builder.Logging.ClearProviders();
                    builder.Services.AddScoped<Visit>().AddPostrider();
                    await using var app = builder.Build();
                    app.Urls.Add("http://127.0.0.1:0");
                    app.MapGet("/", async (HttpContext context) =>
                    {
                        var d = context.RequestServices.GetRequiredService<IDispatcher>();
                        var own = context.RequestServices.GetRequiredService<Visit>().Id;
                        await context.Response.WriteAsync(own + "=" + await d.SendAsync(new Which()) + "=" + await d.SendAsync(new Which()));
                    });
                    await app.StartAsync();
                    using var http = new HttpClient();
                    for (var i = 0; i < 2; i++) Log.Add(await http.GetStringAsync(app.Urls.First()));
                    await app.StopAsync();
                    return Log.All;
                }
            }
            """);

        Assert.Equal("1=1=1 2=2=2", await user.Run());
    }
}
